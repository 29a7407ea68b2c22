// A script agent: one function from everything that happened so far to the next action. It settles a refund
// of one order, or of one line of it, by the desk's rules: who is asking, then the policy, then at most what
// was claimed and what the policy allows, one e-mail, and an answer that names order, amount and policy.
interface Entry {
  readonly type: string;
  readonly call?: { readonly tool: string };
  readonly result?: { readonly ok: boolean; readonly body: unknown };
}

interface Claim {
  readonly order_id?: string;
  readonly line?: number;
  readonly quantity?: number;
}

interface Order {
  readonly customer: { readonly customer_id: string; readonly email: string };
  readonly lines: readonly {
    readonly line: number;
    readonly unit_price: number;
    readonly quantity: number;
  }[];
  readonly total: number;
}

interface Policy {
  readonly policy_id: string;
  readonly refund_allowed: boolean;
  readonly allowed_amount: number;
  readonly allowed_share_percent: number;
  readonly days_since_delivery: number | null;
  readonly already_refunded: number;
  readonly reasons: readonly string[];
  readonly fraud_hold: boolean;
}

interface Task {
  readonly intent?: {
    readonly kind?: string;
    readonly requester?: string;
    readonly form?: string;
    readonly claims?: readonly Claim[];
  };
}

export const costPerCall = 0.001;

const LIMIT = 500;

const call = (tool: string, input: object) => ({ type: 'call', tool, arguments: input });
const answer = (text: string) => ({ type: 'answer', text });

/** What the claimed part of an order cost: the damaged line, not the whole order. */
function claimed(order: Order, { line, quantity }: Claim): number {
  const found = order.lines.find((candidate) => candidate.line === line);
  return found ? found.unit_price * (quantity ?? found.quantity) : order.total;
}

/** To the cent, and never more than the policy says may still go back. */
function due(order: Order, policy: Policy, claim: Claim): number {
  const share = (claimed(order, claim) * policy.allowed_share_percent) / 100;
  return Math.min(Math.round(share * 100) / 100, policy.allowed_amount);
}

export function next(history: readonly Entry[], { intent }: Task) {
  const [claim, ...others] = intent?.claims ?? [];
  if (intent?.kind !== 'refund' || intent.form || !claim?.order_id || others.length > 0)
    return answer('I only settle refunds of one order.');
  const id = claim.order_id;
  const last = history.filter((entry) => entry.type === 'call').at(-1);
  const bodyOf = (tool: string) => history.find((entry) => entry.call?.tool === tool)?.result?.body;
  if (last && !last.result?.ok) return answer(`Order ${id}: ${last.call?.tool} failed, so I stopped there.`);
  const order = bodyOf('lookup_order') as Order | undefined;
  if (!order) return call('lookup_order', { order_id: id });
  if (order.customer.email !== intent.requester)
    return answer(`I cannot discuss order ${id}: it was not placed with your e-mail address.`);
  const policy = bodyOf('check_policy') as Policy | undefined;
  if (!policy) return call('check_policy', { order_id: id, ...(claim.line && { line: claim.line }) });
  const amount = due(order, policy, claim);
  const escalated = last?.call?.tool === 'escalate';
  const { customer_id } = order.customer;
  const hand = (team: string, reason: string) =>
    call('escalate', { team, customer_id, order_id: id, reason });
  if (policy.fraud_hold) {
    return escalated ? answer(`Order ${id} is under review.`) : hand('fraud', 'refund wanted, order on hold');
  }
  if (policy.refund_allowed && amount > LIMIT) {
    const text = `A refund of ${amount.toFixed(2)} for order ${id} needs a supervisor, who has it now.`;
    return escalated
      ? answer(text)
      : hand('supervisor', `${amount.toFixed(2)} is more than the desk may pay`);
  }
  return settle({ id, amount, policy, to: order.customer.email, done: last?.call?.tool });
}

interface Case {
  readonly id: string;
  readonly amount: number;
  readonly policy: Policy;
  readonly to: string;
  /** The tool called last. */
  readonly done: string | undefined;
}

function settle({ id, amount, policy, to, done }: Case) {
  const { policy_id: name, days_since_delivery: days, already_refunded: before } = policy;
  if (!policy.refund_allowed) {
    const reasons = policy.reasons.join(', ').replaceAll('_', ' ');
    const facts = `${days ?? 0} days since delivery, ${before.toFixed(2)} refunded already`;
    return answer(`Order ${id} cannot be refunded under ${name} (${reasons}): ${facts}.`);
  }
  const body = `We refunded ${amount.toFixed(2)} for order ${id} under policy ${name}.`;
  if (done === 'send_email') return answer(`${body} An e-mail confirms it.`);
  if (done === 'refund') return call('send_email', { to, subject: `Your refund for order ${id}`, body });
  return call('refund', { order_id: id, amount });
}
