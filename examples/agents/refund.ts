// A script agent: one function from everything that happened so far to the next action. It reads the task's
// structured intent, checks the policy, refunds, writes one e-mail and answers.
interface Entry {
  readonly type: string;
  readonly call?: { readonly tool: string };
  readonly result?: { readonly ok: boolean; readonly body: Record<string, unknown> };
}

interface Task {
  readonly intent?: {
    readonly kind?: string;
    readonly requester?: string;
    readonly claims?: readonly { readonly order_id: string; readonly line?: number }[];
  };
}

export const costPerCall = 0.001;

export function next(history: readonly Entry[], { intent }: Task) {
  const [claim] = intent?.claims ?? [];
  if (intent?.kind !== 'refund' || !claim) return { type: 'answer', text: 'This is not something I can do.' };
  const { order_id: orderId, line } = claim;
  const made = history.filter((entry) => entry.type === 'call');
  const last = made.at(-1);
  if (!last) return { type: 'call', tool: 'lookup_order', arguments: { order_id: orderId } };
  if (!last.result?.ok) return { type: 'answer', text: `Order ${orderId}: it could not be done.` };
  switch (last.call?.tool) {
    case 'lookup_order':
      return { type: 'call', tool: 'check_policy', arguments: { order_id: orderId, ...(line && { line }) } };
    case 'check_policy': {
      const { refund_allowed: allowed, policy_id: policy, remaining } = last.result.body;
      if (!allowed)
        return { type: 'answer', text: `Order ${orderId} cannot be refunded under policy ${policy}.` };
      return { type: 'call', tool: 'refund', arguments: { order_id: orderId, amount: remaining } };
    }
    case 'refund': {
      const { amount } = last.result.body;
      const body = `We refunded ${amount} for your order ${orderId}.`;
      return {
        type: 'call',
        tool: 'send_email',
        arguments: { to: intent.requester, subject: 'Your refund', body },
      };
    }
    default:
      return { type: 'answer', text: `I refunded order ${orderId} and confirmed it by e-mail.` };
  }
}
