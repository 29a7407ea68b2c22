import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import type { ReactionSubject } from '../schema/issues.ts';
import { CONTENTS } from '../views/reactions.ts';
import { accountCalled, seeAccount } from './accounts.ts';
import { issueCalled } from './issues.ts';
import { repositoryCalled } from './repositories.ts';
import { inputOf, type Maker, numberIn, objectIn, type Sight, textIn, type Watcher } from './sight.ts';

/** Kinds of things by the last part of the operations' ids. */
const KINDS: Readonly<Record<string, ReactionSubject>> = {
  'for-issue': 'issue',
  'for-issue-comment': 'issue-comment',
  'for-commit-comment': 'commit-comment',
  'for-pull-request-review-comment': 'review-comment',
  'for-pull-request-comment': 'review-comment',
  'for-release': 'release',
};

/** What a request's reactions are to: its kind and number; undefined for what the recording made. */
function subjectOf(sight: Sight, exchange: RecordedExchange) {
  const kind = KINDS[(exchange.operation ?? '').replace(/^reactions\/(list|create|delete)-/u, '')];
  const input = inputOf(exchange);
  const repository_id = repositoryCalled(sight, exchange);
  if (!kind || repository_id === undefined) return undefined;
  const id = kind === 'issue' ? issueCalled(sight, exchange) : Number(input.comment_id ?? input.release_id);
  return id === undefined ? undefined : { kind, id, repository_id };
}

function seeReaction(
  sight: Sight,
  object: JsonObject,
  subject: NonNullable<ReturnType<typeof subjectOf>>,
): void {
  const id = numberIn(object, 'id') ?? 0;
  if (sight.isMade('reactions', id) || sight.tx.reactions.has(id)) return;
  const user = objectIn(object, 'user');
  const user_id = user ? seeAccount(sight, user) : sight.viewerId;
  const content = textIn(object, 'content') ?? '+1';
  if (sight.tx.reactions.unique('by_user', [subject.kind, subject.id, user_id, content])) return;
  sight.tx.reactions.insert({
    id,
    subject: subject.kind,
    subject_id: subject.id,
    repository_id: subject.repository_id,
    user_id,
    content,
    created_at: textIn(object, 'created_at') ?? '2015-01-01T00:00:00Z',
  });
}

/**
 * As many reactions as a thing counts were there before; whose they were is not known. Counts that the
 * recording's own requests changed are told later, and not looked at.
 */
export function seeReactionCounts(
  sight: Sight,
  object: JsonObject,
  subject: NonNullable<ReturnType<typeof subjectOf>>,
): void {
  const counts = objectIn(object, 'reactions');
  if (!counts || !sight.first(`reactions to ${subject.kind} ${subject.id}`)) return;
  sight.later(() => {
    for (const content of CONTENTS) {
      const known = [...sight.tx.reactions.by('by_subject', [subject.kind, subject.id])].filter(
        (reaction) => reaction.content === content,
      );
      for (let index = known.length; index < (numberIn(counts, content) ?? 0); index += 1) {
        const user = { id: accountCalled(sight, `somebody-${index + 1}`), login: `somebody-${index + 1}` };
        seeReaction(sight, { id: sight.freshId('reactions'), content, user }, subject);
      }
    }
  });
}

const watch: Watcher = (sight, exchange) => {
  const subject = subjectOf(sight, exchange);
  if (!subject || exchange.status >= 300) return;
  // From here on counts tell of the recording's own reactions too.
  sight.first(`reactions to ${subject.kind} ${subject.id}`);
  const { response } = exchange;
  const removed = inputOf(exchange).reaction_id;
  if (removed !== undefined) seeReaction(sight, { id: Number(removed) }, subject);
  const shown = Array.isArray(response) ? (response as readonly Json[]) : [response];
  for (const reaction of shown.filter(isJsonObject)) seeReaction(sight, reaction, subject);
};

/** A new reaction is answered with 201, one that was there before with 200. */
const made: Maker = (body, { status }) => (status === 201 ? [['reactions', body.id ?? 0]] : []);

const NAMES = Object.keys(KINDS);

export const reactionWatchers: Readonly<Record<string, Watcher>> = Object.fromEntries(
  NAMES.flatMap((name) => ['list', 'create', 'delete'].map((verb) => [`reactions/${verb}-${name}`, watch])),
);

export const reactionMakers: Readonly<Record<string, Maker>> = Object.fromEntries(
  NAMES.map((name) => [`reactions/create-${name}`, made]),
);
