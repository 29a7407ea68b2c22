import type { Probe } from '../../../service/index.ts';

const SOURCE = 'src/services/notes/README.md, section "What happens if"';
const DATE = '2026-11-29';

function probe(
  operation: string,
  title: string,
  rest: Omit<Probe, 'operation' | 'title' | 'source' | 'date'>,
): Probe {
  return { operation, title, ...rest, source: SOURCE, date: DATE };
}

const wrongPin = { operation: 'notes.open', input: { id: 'note_seed0003', pin: '0000' } };

/** One fact per operation at least, each asked of the small seed. */
export const probes: readonly Probe[] = [
  probe('notebooks.create', 'the calling actor owns it', {
    input: { name: 'Travel' },
    expect: { status: 201, facts: { id: 'book_3', owner: 'agent' } },
  }),
  probe('notebooks.create', 'names are unique per owner', {
    input: { name: 'Home' },
    expect: { status: 409, facts: { 'error.code': 'notebook_exists' } },
  }),
  probe('notebooks.list', 'all of them', {
    input: {},
    expect: { facts: { 'notebooks.0.name': 'Home', 'notebooks.1.name': 'Work' } },
  }),
  probe('notes.create', 'needs a notebook that exists', {
    input: { notebook_id: 'book_9', title: 'Lost', body: '' },
    expect: { status: 404, facts: { 'error.code': 'notebook_not_found' } },
  }),
  probe('notes.create', 'starts at revision 1 without tags', {
    input: { notebook_id: 'book_1', title: 'Bus times', body: '', request_key: 'once' },
    expect: {
      status: 201,
      facts: { id: { matches: '^note_\\w{8}$' }, revision: 1, tags: [], protected: false },
    },
  }),
  probe('notes.get', 'a protected note hides its body', {
    input: { id: 'note_seed0003' },
    expect: { facts: { protected: true, body: { exists: false } } },
  }),
  probe('notes.list', 'by tag, the first page', {
    input: { tag: 'home', limit: 1 },
    expect: { facts: { 'notes.0.id': 'note_seed0001', next_after: 'note_seed0001' } },
  }),
  probe('notes.update', 'only at the revision read', {
    input: { id: 'note_seed0001', revision: 2, title: 'Late' },
    expect: { status: 409, facts: { 'error.details.revision': 1 } },
  }),
  probe('notes.delete', 'the note is gone', {
    after: [{ operation: 'notes.delete', input: { id: 'note_seed0001' } }],
    input: { id: 'note_seed0001' },
    expect: { status: 404, facts: { 'error.code': 'note_not_found' } },
  }),
  probe('notes.tag', 'five tags at most', {
    input: { id: 'note_seed0004', tag: 'one-more' },
    expect: { status: 422, facts: { 'error.code': 'too_many_tags' } },
  }),
  probe('notes.open', 'wrong PINs are counted, although they are errors', {
    after: [wrongPin, wrongPin],
    input: wrongPin.input,
    expect: { status: 403, facts: { 'error.details.left': 0 } },
  }),
  probe('notes.open', 'after three it stays locked, even for the right PIN', {
    after: [wrongPin, wrongPin, wrongPin],
    input: { id: 'note_seed0003', pin: '2468' },
    expect: { status: 423, facts: { 'error.code': 'note_locked' } },
  }),
  probe('notes.share', 'a code of ten letters and digits', {
    input: { id: 'note_seed0001' },
    expect: { facts: { share_code: { matches: '^[a-z2-9]{10}$' } } },
  }),
  probe('notes.share', 'a note that has a code keeps it', {
    input: { id: 'note_seed0002' },
    expect: { facts: { share_code: 'fairinjune' } },
  }),
  probe('tokens.create', 'a token of the scope asked for', {
    input: { scope: 'read' },
    expect: { status: 201, facts: { access_token: { matches: '^access_\\w{16}$' }, scope: 'read' } },
  }),
  probe('tokens.create', 'a read token issues none', {
    after: [{ operation: 'tokens.create', input: { scope: 'read' } }],
    tokenOf: 0,
    input: { scope: 'read' },
    expect: { status: 403, facts: { 'error.code': 'missing_scope' } },
  }),
  probe('notes.get', 'a read token may', {
    after: [{ operation: 'tokens.create', input: { scope: 'read' } }],
    tokenOf: 0,
    input: { id: 'note_seed0001' },
    expect: { facts: { id: 'note_seed0001' } },
  }),
  probe('notes.get', 'a revoked token may nothing', {
    after: [
      { operation: 'tokens.create', input: { scope: 'write' } },
      { operation: 'tokens.revoke', input: { access_token: { $token: 0 } }, tokenOf: 0 },
    ],
    tokenOf: 0,
    input: { id: 'note_seed0001' },
    expect: { status: 401, facts: { 'error.code': 'token_revoked' } },
  }),
  probe('tokens.revoke', 'one that is unknown is revoked already', {
    input: { access_token: 'access_forgotten' },
    expect: { facts: { revoked: true } },
  }),
];
