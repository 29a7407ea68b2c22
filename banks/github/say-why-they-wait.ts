import { goThrough, ORCHARD, WAITS } from './orchard.ts';

/** The reference of the scenario `say-why-they-wait`. */
export function reference() {
  const calls = goThrough((issue_number, waits) =>
    waits === null
      ? []
      : [{ tool: 'add_issue_comment', arguments: { ...ORCHARD, issue_number, body: `Waits: ${waits}.` } }],
  );
  return { calls, answer: `I commented on ${WAITS.filter((waits) => waits !== null).length} pulls.` };
}
