import type { Json } from '../../../base/json.ts';
import type { AgentTask } from '../../types.ts';
import { chatAccount, chatRefund } from './chat.ts';
import { CAREFUL, type Habits } from './desk-work.ts';
import { lookupRequest } from './questions.ts';
import { queueRequest, ticketRequest } from './queue.ts';
import { type Script, scripted } from './replay.ts';
import { addressRequest, cancelRequest, type Intent, refundRequest, reportRequest } from './requests.ts';

type DeskIntent = Intent | { readonly kind: 'chat-refund' } | { readonly kind: 'chat-account' };

/**
 * The careful agent: reads before it writes, compares who is asking, runs the policy check for every order,
 * acts once, writes one e-mail, and says what it did. It knows the task's intent, the policy's rules and
 * what the tools and the user tell it; never the reference.
 */
export const next = scripted((task, opening) => deskScript(task, opening, CAREFUL));

/** The script for a task; habits say how well it is worked through. */
export function deskScript(task: AgentTask, opening: string, habits: Habits): Script {
  const intent = (task.intent ?? {}) as unknown as DeskIntent;
  switch (intent.kind) {
    case 'refund':
      return refundRequest(intent, habits);
    case 'cancel':
      return cancelRequest(intent, habits);
    case 'address':
      return addressRequest(intent, habits);
    case 'lookup':
      return lookupRequest(intent, habits);
    case 'report':
      return reportRequest(intent, habits);
    case 'tickets':
      return ticketRequest(intent.ticket_ids, habits);
    case 'queue':
      return queueRequest(intent.queue, habits);
    case 'chat-refund':
      return chatRefund(opening, habits);
    case 'chat-account':
      return chatAccount(opening, habits);
    default:
      return lost(intent);
  }
}

/** A task from another bank: an honest end instead of a guess. */
// biome-ignore lint/correctness/useYield: a script may end without a move
function* lost(intent: unknown): Script {
  return `I have no procedure for this task (${JSON.stringify((intent as { kind?: Json }).kind ?? null)}).`;
}
