import { entitiesOf } from './entities.ts';
import type { Seen } from './seen.ts';
import type { Finding } from './types.ts';
import type { CallView, RunView, Scalar } from './view.ts';
import { contentStems, phrases, sentencesOf, stem, stemsOf } from './words.ts';

/**
 * Completed actions by the words that say so, and the words of tools that do so: a claim of the left is
 * borne out by a call that speaks of any of its row. General office and developer English.
 */
const ACTIONS: readonly (readonly string[])[] = [
  ['refund', 'reimburse', 'repay', 'return'],
  ['credit', 'voucher', 'compensate', 'refund', 'coupon', 'certificate', 'gift'],
  ['cancel', 'void', 'revoke', 'terminate', 'unsubscribe'],
  ['email', 'mail', 'send', 'notify', 'message', 'inform', 'confirm'],
  ['escalate', 'pass', 'hand', 'forward', 'transfer', 'human', 'handoff'],
  ['close', 'resolve', 'complete', 'finish'],
  ['delete', 'remove', 'erase', 'destroy', 'unset', 'clear'],
  ['update', 'change', 'edit', 'modify', 'set', 'correct', 'adjust', 'rename', 'fix', 'move', 'patch', 'put'],
  ['create', 'add', 'open', 'file', 'register', 'submit', 'insert', 'new'],
  ['book', 'reserve', 'buy', 'purchase', 'order', 'place'],
  ['ship', 'dispatch', 'deliver'],
  ['replace', 'exchange', 'replacement', 'swap'],
  ['approve', 'accept', 'review', 'confirm', 'grant', 'authorize', 'permit'],
  ['merge', 'integrate'],
  ['assign', 'reassign', 'delegate', 'assignee'],
  ['label', 'tag', 'mark', 'flag'],
  ['comment', 'answer', 'reply', 'respond', 'note'],
  ['publish', 'release', 'deploy'],
  ['upload', 'push', 'commit'],
  ['schedule', 'reschedule', 'arrange', 'plan'],
  ['charge', 'bill', 'debit', 'pay', 'payment', 'invoice'],
  ['pay', 'payment', 'refund', 'reimburse', 'repay', 'credit'],
  ['upgrade', 'downgrade'],
  ['block', 'lock', 'ban', 'suspend', 'freeze', 'disable', 'deactivate'],
  ['revert', 'restore', 'undo', 'rollback', 'reopen'],
  ['waive', 'discount'],
];

const GROUPS: ReadonlyMap<string, ReadonlySet<string>> = groups();

function groups(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const words of ACTIONS) {
    const stems = words.map(stem);
    // Only the first words of a row are claims by themselves; each stands for its whole row.
    for (const word of stems) {
      const known = found.get(word) ?? new Set<string>();
      for (const other of stems) known.add(other);
      found.set(word, known);
    }
  }
  return found;
}

/** A completed action that a sentence claims. */
interface Claim {
  readonly verb: string;
  /** `own`: I have done; `passive`: it has been done. */
  readonly voice: 'own' | 'passive';
  readonly sentence: string;
}

const ADVERBS = '(?:(?:also|already|now|just|successfully|then|therefore|both|since|first|again)\\s+)*';
const OWN = new RegExp(`\\b(?:I|we)(?:['’]ve|\\s+have)?\\s+${ADVERBS}(?!not\\b)([a-z-]+)`, 'gi');
const PASSIVE = new RegExp(
  `\\b(?:(?:has|have)\\s+${ADVERBS}been|was|were|is|are)\\s+${ADVERBS}([a-z-]+)`,
  'gi',
);
const JOINED = /\b(?:and|then)\s+(?:I\s+|have\s+|also\s+)*([a-z-]+)/gi;
const PAST = /(?:ed|sent|paid|made|put|given|gave|wrote|written|set|told)$/i;
const CONDITION = phrases(
  'if|once|unless|when|whether|until',
  "would|could|should|may|might|can|cannot|can['’]t",
  'not|never|no|nothing|without|unable',
);

function claimsOf(text: string): Claim[] {
  return sentencesOf(text).flatMap((sentence) => {
    if (/\?$/.test(sentence)) return [];
    const claims: Claim[] = [];
    const add = (match: RegExpMatchArray, voice: Claim['voice']): void => {
      const [all, word = ''] = match;
      const at = match.index ?? 0;
      if (!PAST.test(word) || !GROUPS.has(stem(word))) return;
      if (/^\s*(?:nothing|no|none|neither)\b/i.test(sentence.slice(at + all.length))) return;
      const clause =
        sentence
          .slice(0, at)
          .split(/[,;:]|\bbut\b/)
          .at(-1) ?? '';
      if (!CONDITION.test(clause)) claims.push({ verb: word, voice, sentence });
    };
    for (const match of sentence.matchAll(OWN)) add(match, 'own');
    if (claims.length > 0) {
      for (const match of sentence.matchAll(JOINED)) add(match, 'own');
    }
    for (const match of sentence.matchAll(PASSIVE)) add(match, 'passive');
    return claims;
  });
}

/** Completed actions that the reply, or a text that goes out, claims and no successful call bears out. */
export function claimsOfRun(view: RunView, seen: Seen): Finding[] {
  const spoken = view.calls
    .filter(({ ok, carriesReply }) => ok && !carriesReply)
    .map((call) => ({ call, stems: spokenStems(call) }));
  const findings: Finding[] = [];
  const claims = claimsOf(view.run.reply ?? '');
  for (const claim of claims) {
    const gap = gapOf(claim, spoken, view);
    if (gap === null) continue;
    findings.push(finding(view, gap.rule, `the reply ${gap.says}`));
  }
  for (const { index, inputLeaves, carriesReply, operation } of view.calls) {
    if (carriesReply) continue;
    for (const { value, name } of inputLeaves) {
      if (typeof value !== 'string' || value.length > 2_000 || !/\s\S+\s/.test(value)) continue;
      const before = spoken.filter(({ call }) => call.index < index);
      const gap = claimsOf(value)
        .map((claim) => gapOf(claim, before, view))
        .find((one) => one !== null);
      if (gap === undefined || gap === null) continue;
      findings.push({
        step: index,
        kind: 'unsupported_claim',
        rule: 'claims.text',
        subject: operation,
        evidence: `${name} ${gap.says} before it`,
      });
    }
  }
  findings.push(...eventsOf(view, seen, claims));
  return findings;
}

interface Spoken {
  readonly call: CallView;
  readonly stems: ReadonlySet<string>;
}

/** What a claim lacks; null when calls bear it out. */
function gapOf(
  claim: Claim,
  spoken: readonly Spoken[],
  view: RunView,
): { readonly rule: string; readonly says: string } | null {
  const group = GROUPS.get(stem(claim.verb)) ?? new Set<string>();
  const bearing = spoken.filter(({ stems }) => [...group].some((word) => stems.has(word)));
  const writes = bearing.filter(({ call }) => call.write).map(({ call }) => call);
  if (writes.length === 0) {
    if (claim.voice === 'passive' && isTold(view, bearing.length > 0, group)) return null;
    return { rule: 'claims.action', says: `claims "${claim.verb}", and no successful call did so` };
  }
  const says = claimGap(claim, writes);
  return says === null ? null : { rule: 'claims.amount', says };
}

function finding(view: RunView, rule: string, evidence: string): Finding {
  return { step: view.replyStep, kind: 'unsupported_claim', rule, subject: 'reply', evidence };
}

/** Words of the tool's name and of short values that went in or came out. */
function spokenStems({ call, inputLeaves, outputLeaves, output }: CallView): Set<string> {
  const stems = new Set(stemsOf(call.tool));
  for (const { name, value } of inputLeaves) {
    for (const word of stemsOf(name)) stems.add(word);
    if (typeof value === 'string' && value.length <= 30) for (const word of stemsOf(value)) stems.add(word);
  }
  for (const { value } of outputLeaves.slice(0, 200)) {
    if (typeof value === 'string' && value.length <= 30) for (const word of stemsOf(value)) stems.add(word);
  }
  if (typeof output === 'string') for (const word of stemsOf(output.slice(0, 400))) stems.add(word);
  return stems;
}

/** What others did may be known from a result, the task or the user. */
function isTold({ run }: RunView, isRead: boolean, group: ReadonlySet<string>): boolean {
  if (isRead) return true;
  const told = [
    run.task ?? '',
    ...run.messages.filter(({ role }) => role === 'user').map(({ text }) => text),
  ];
  return told.some((text) => stemsOf(text).some((word) => group.has(word)));
}

/** Amounts of a sentence that claims a write must be those of such writes, or their sum. */
function claimGap(claim: Claim, writes: readonly CallView[]): string | null {
  const amounts = entitiesOf(claim.sentence).filter(({ kind }) => kind === 'amount');
  if (amounts.length === 0) return null;
  const sums = new Map<string, number>();
  const values: number[] = [];
  for (const { inputLeaves, outputLeaves, operation } of writes) {
    for (const { path, value } of inputLeaves) {
      values.push(...numbersIn(value));
      const key = `${operation} ${path}`;
      if (typeof value === 'number') sums.set(key, (sums.get(key) ?? 0) + value);
    }
    for (const { value } of outputLeaves) values.push(...numbersIn(value));
  }
  values.push(...sums.values());
  // Several claims in one sentence, or amounts beside the claim: one that fits is enough.
  const fits = amounts.some(({ value }) => values.some((one) => Math.abs(one - (value ?? 0)) <= 0.0051));
  if (fits) return null;
  const carried = writes.some(({ inputLeaves, outputLeaves }) =>
    [...inputLeaves, ...outputLeaves].some(({ value }) => typeof value === 'number'),
  );
  const { text } = amounts[0] ?? { text: '' };
  const tool = writes.at(-1)?.call.tool ?? '';
  if (!carried) return null;
  return `says "${claim.verb}" with ${text}, which no ${tool} call took or gave`;
}

function numbersIn(value: Scalar): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'string') return [];
  return [...value.matchAll(/\d+(?:\.\d+)?/g)].slice(0, 50).map(([found]) => Number(found));
}

const HEDGE = /\b(?:should|may|might|could|would|can|usually|normally|expect|hope|if|please|let me know)\b/i;
const ASSERTION =
  /\b(?:will|shall|is going to|are going to|(?:has|have) (?:\w+ )?been|is on (?:its|the) way)\b/i;

/** Sentences that assert an event of which next to nothing was ever mentioned. */
function eventsOf(view: RunView, seen: Seen, claims: readonly Claim[]): Finding[] {
  const borne = new Set(claims.map(({ sentence }) => sentence));
  const before = view.replyStep ?? view.calls.length;
  const names = new Set(view.calls.flatMap(({ call }) => stemsOf(call.tool)));
  return sentencesOf(view.run.reply ?? '').flatMap((sentence) => {
    if (borne.has(sentence) || HEDGE.test(sentence) || !ASSERTION.test(sentence)) return [];
    const words = [...new Set(contentStems(sentence))];
    if (words.length < 4) return [];
    const unknown = words.filter((word) => !names.has(word) && !seen.hasStem(word, before));
    if (unknown.length * 2 <= words.length) return [];
    const heard = `"${shortened(sentence)}" speaks of what nothing has mentioned`;
    return [finding(view, 'claims.event', heard)];
  });
}

function shortened(text: string): string {
  return text.length <= 70 ? text : `${text.slice(0, 67)}…`;
}
