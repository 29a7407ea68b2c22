import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { askedOf } from './places.ts';
import { numberIn } from './sight.ts';

/**
 * Runs that requests of a recording started, as its answers show them: the first of a workflow and branch
 * that nobody saw before it was asked for. Of what is asked about by its number, the world must hold more
 * than a start makes, such as its artifacts: that counts as having been there.
 */
export function runsStarted(exchanges: readonly RecordedExchange[]): readonly JsonObject[] {
  const asked = new Set(exchanges.map((exchange) => Number(askedOf(exchange).run_id)));
  const known = new Set<number>();
  const waiting: Start[] = [];
  const found: JsonObject[] = [];
  for (const exchange of exchanges) {
    for (const run of runsIn(exchange.response)) {
      const id = numberIn(run, 'id') ?? 0;
      const at = waiting.findIndex((start) => isOf(run, start));
      const isNew = !known.has(id) && at >= 0 && run.event === 'workflow_dispatch';
      known.add(id);
      if (isNew) waiting.splice(at, 1);
      if (isNew && !asked.has(id)) found.push(run);
    }
    const { workflow_id, ref } = askedOf(exchange);
    if (exchange.operation === 'actions/create-workflow-dispatch' && exchange.status < 300) {
      waiting.push({ workflow: String(workflow_id), branch: String(ref).replace(/^refs\/heads\//u, '') });
    }
  }
  return found;
}

/** A workflow, by its number or the name of its file, that was asked for on a branch. */
interface Start {
  readonly workflow: string;
  readonly branch: string;
}

function isOf({ workflow_id, path, head_branch }: JsonObject, { workflow, branch }: Start): boolean {
  const file = String(path).split('@')[0]?.split('/').at(-1);
  return head_branch === branch && (String(workflow_id) === workflow || file === workflow);
}

function runsIn(response: Json): readonly JsonObject[] {
  const listed = isJsonObject(response) ? response.workflow_runs : undefined;
  return Array.isArray(listed) ? (listed as readonly Json[]).filter(isJsonObject) : [];
}
