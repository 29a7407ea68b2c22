import type { Finding } from './types.ts';
import type { CallView, RunView } from './view.ts';
import { phrases, stem, stemsOf } from './words.ts';

const DEFERRAL = phrases(
  'get back to you|looking into|let me (?:check|look)|one moment|bear with me|working on it',
  'will (?:look|check|investigate|follow up)',
);
const HONEST = phrases(
  "not|no|cannot|(?:ca|could|did|was|does)n['’]t|unable|fail(?:ed|ure)|error|unavailable|unknown",
  'sorry|timed? ?out|try again|problem|refused',
);

const HAND_OVER = new Set(['escalate', 'transfer', 'handoff', 'human'].map(stem));

/** Runs that stop before they are done: no reply, a reply that only puts off, an error left standing. */
export function endings(view: RunView): Finding[] {
  const { run, calls } = view;
  const last = calls.length - 1;
  const findings: Finding[] = [];
  const add = (
    kind: Finding['kind'],
    rule: string,
    { step, evidence }: { step: number; evidence: string },
  ): void => {
    findings.push({ step: step < 0 ? null : step, kind, rule, subject: 'reply', evidence });
  };
  // Who hands over to a person need not speak last.
  const handedOver = stemsOf(calls.at(-1)?.call.tool ?? '').some((word) => HAND_OVER.has(word));
  if (
    (run.ended === 'no-answer' && !handedOver) ||
    (run.ended === 'answer' && (run.reply ?? '').trim() === '')
  ) {
    add('premature_stop', 'ending.no-reply', { step: last, evidence: 'the run ended without a reply' });
  } else if (run.reply !== null && DEFERRAL.test(run.reply) && !calls.some(({ write, ok }) => write && ok)) {
    const evidence = 'the reply puts the matter off, and nothing was done';
    add('premature_stop', 'ending.deferral', { step: last, evidence });
  }
  for (const call of calls) {
    if (serviceTrouble(call) === null || isHandled(view, call)) continue;
    const evidence = `${call.call.tool} failed, was not tried again, and the reply does not say so`;
    add('error_unhandled', 'ending.error', { step: call.index, evidence });
  }
  return findings;
}

function isHandled(view: RunView, { index, call }: CallView): boolean {
  if (HONEST.test(view.run.reply ?? '')) return true;
  return view.calls.some((later) => later.index > index && later.call.tool === call.tool && later.ok);
}

const SERVICE =
  /rate.?limit|too many requests|temporarily|unavailable|internal (?:server|error)|maintenance/i;
const TRANSPORT = /bad gateway|time[d -]*out|overloaded|quota|connection|expired/i;

/** Answers that no request of the agent's explains: refusals of a service in trouble, nothing at all. */
export function serviceErrors(view: RunView): Finding[] {
  return view.calls.flatMap((call): Finding[] => {
    const trouble = serviceTrouble(call);
    if (trouble === null) return [];
    const { index: step, operation: subject } = call;
    const evidence = `${call.call.tool}: ${trouble}`;
    return [{ step, kind: 'service_error', rule: 'errors.service', subject, evidence }];
  });
}

function serviceTrouble({ call, ok }: CallView): string | null {
  const { status, failed, result } = call;
  if (ok) return null;
  if (result === null) return failed === true ? 'nothing came back' : null;
  if (status !== null && (status === 429 || status === 401 || status >= 500)) return `status ${status}`;
  const said = JSON.stringify(result.value).slice(0, 600);
  return SERVICE.test(said) || TRANSPORT.test(said)
    ? 'the error is one of the service, not of the call'
    : null;
}
