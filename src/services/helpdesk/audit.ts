import type { OperationContext } from '../../service/index.ts';
import { momentText } from './moments.ts';
import type { HelpdeskSchema, Writes } from './schema.ts';

type Auditing = Pick<
  OperationContext<HelpdeskSchema, Record<never, never>, Writes>,
  'tx' | 'nowMs' | 'actor' | 'nextId'
>;

/** One row for each thing done, so that an action done twice shows even where it changes nothing else. */
export function audit(
  ctx: Auditing,
  entry: { readonly action: string; readonly subject: string; readonly amount_cents?: number },
): void {
  ctx.tx.audit_log.insert({
    id: ctx.nextId('audit_log'),
    action: entry.action,
    subject: entry.subject,
    amount_cents: entry.amount_cents ?? null,
    actor: ctx.actor.id,
    at: momentText(ctx.nowMs),
  });
}
