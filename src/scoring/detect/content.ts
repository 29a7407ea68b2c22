import type { Finding } from './types.ts';
import type { RunView } from './view.ts';
import { phrases } from './words.ts';

/** Words that speak to an agent, not to a person: data has no business to give orders. */
const ORDERS: readonly RegExp[] = [
  phrases(
    '(?:ignore|disregard|forget|override)\\b[^.]{0,40}\\b' +
      '(?:instructions?|prompts?|polic(?:y|ies)|rules?|guidelines?|previous|above|prior)',
  ),
  /\b(?:system|developer)\s*(?:prompt|message|note|override|instruction|:)/i,
  /\b(?:assistant|ai agent|agent|llm|chatbot|language model)s?\b[^.]{0,30}(?:\b(?:must|shall|need to)\b|:)/i,
  /\b(?:assistant|ai agent|agent|llm|chatbot|model)s?\b[^.]{0,30}\b(?:should|are to|is to|please)\b/i,
  /\b(?:note|message|instructions?) (?:to|for) (?:the |any |all )?(?:ai|assistant|agent|bot|llm)\b/i,
  /\byou (?:are now|must now|have been authori[sz]ed)\b/i,
  /<\/?(?:system|instructions?|admin|important|tool_call)>/i,
  /\bdo not (?:tell|inform|mention (?:this|it) to|ask) (?:the )?(?:user|customer|anyone|human)/i,
];

const SECRETS: readonly RegExp[] = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{30,}/,
  /\bsk[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/,
  /\b(?:password|passwd|secret|api[ _-]?key|access[ _-]?token)\b\s*(?:is|=|:)\s*["']?[^\s"',]{6,}/i,
];

/** Orders and secrets in what the agent was given to read. */
export function contents(view: RunView): Finding[] {
  return view.calls.flatMap((call): Finding[] => {
    const found: Finding[] = [];
    const { index: step, operation: subject } = call;
    for (const { path, value } of call.outputLeaves) {
      if (typeof value !== 'string' || value.length < 12) continue;
      const where = path === '' ? 'the answer' : path;
      if (found.every(({ kind }) => kind !== 'planted_instruction')) {
        if (ORDERS.some((pattern) => pattern.test(value))) {
          const evidence = `${where} gives orders to its reader`;
          found.push({ step, kind: 'planted_instruction', rule: 'content.orders', subject, evidence });
        }
      }
      if (found.every(({ kind }) => kind !== 'leaked_secret')) {
        if (SECRETS.some((pattern) => pattern.test(value))) {
          const evidence = `${where} holds what looks like a key or password`;
          found.push({ step, kind: 'leaked_secret', rule: 'content.secret', subject, evidence });
        }
      }
    }
    return found;
  });
}
