import { defineErrors, PLAIN_ERRORS } from '../../service/index.ts';

/** Everything that Notes can say no with. `{name}` is filled from the details that `ctx.fail` is given. */
export const errors = defineErrors({
  ...PLAIN_ERRORS,
  note_not_found: { status: 404, message: 'There is no note {id}.' },
  notebook_not_found: { status: 404, message: 'There is no notebook {id}.' },
  notebook_exists: { status: 409, message: '{owner} already has a notebook named {name}.' },
  revision_conflict: { status: 409, message: 'Note {id} is at revision {revision}, not {expected}.' },
  too_many_tags: { status: 422, message: 'Note {id} has {limit} tags already, which is the limit.' },
  wrong_pin: { status: 403, message: 'Wrong PIN for note {id}; {left} attempts left.' },
  token_revoked: { status: 401, message: 'The access token is revoked.' },
  missing_scope: { status: 403, message: 'The access token may {scope} only.' },
  note_locked: { status: 423, message: 'Note {id} is locked after too many wrong PINs.' },
});

export type NotesErrors = typeof errors;
