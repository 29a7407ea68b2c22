import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isUnitSlip } from './difference.ts';
import type { Finding } from './types.ts';
import { type CallView, type RunView, sameAmount } from './view.ts';

const TOTAL = /^(?:(?:grand|sub|order|line)?_?total(?:_(?:price|amount|eur|usd|cents))?|sum|amount_due)$/i;
const PART = /total|amount|price|sum|subtotal/i;
/** Lists that a total beside them is surely of, even when they are empty. */
const ITEMS = /^(?:lines|line_items|lineItems|order_lines|items)$/;
const COUNT = /^(?:total_count|totalCount|count|total_results|num_\w+|item_count)$/;

/** Totals against their items, counts against their lists, within one answer. */
export function totals(view: RunView): Finding[] {
  return view.calls.flatMap((call) => {
    if (!call.ok) return [];
    const found: Finding[] = [];
    for (const { object, path } of call.records) {
      const finding = ofProduct(call, object) ?? ofSum(call, object) ?? ofCount(call, object, path);
      if (finding !== null) found.push(finding);
    }
    return found.slice(0, 1);
  });
}

function ofProduct(call: CallView, object: JsonObject): Finding | null {
  const { quantity, unit_price: price, unitPrice, line_total: line, lineTotal } = object;
  const [unit, total] = [price ?? unitPrice, line ?? lineTotal];
  if (typeof quantity !== 'number' || typeof unit !== 'number' || typeof total !== 'number') return null;
  if (sameAmount(quantity * unit, total)) return null;
  const evidence = `${quantity} at ${unit} come to ${quantity * unit}, and the line says ${total}`;
  return found(call, { rule: 'totals.product', evidence, units: isUnitSlip(quantity * unit, total) });
}

/** A total is the sum of its items' parts, give or take the other amounts beside it (shipping, discount). */
function ofSum(call: CallView, object: JsonObject): Finding | null {
  const totals = Object.entries(object).filter(
    ([name, value]) => TOTAL.test(name) && typeof value === 'number',
  );
  const [total] = totals;
  if (totals.length !== 1 || total === undefined) return null;
  for (const [list, items] of Object.entries(object)) {
    if (!Array.isArray(items) || (items.length === 0 && !ITEMS.test(list))) continue;
    const sums = items.length === 0 ? [{ sum: 0 }] : partSums(items as readonly Json[]);
    if (sums.length === 0) continue;
    const others = Object.entries(object)
      .filter(([, value]) => typeof value === 'number' && value !== 0 && value !== total[1])
      .map(([, value]) => value as number)
      .slice(0, 8);
    const wanted = total[1] as number;
    if (sums.some(({ sum }) => reachable(wanted - sum, others))) return null;
    const [first] = sums;
    const evidence = `${total[0]} is ${wanted}, and ${list} come to ${first?.sum.toFixed(2)}`;
    return found(call, {
      rule: 'totals.sum',
      evidence,
      units: sums.some(({ sum }) => isUnitSlip(sum, wanted)),
    });
  }
  return null;
}

function partSums(items: readonly Json[]): { readonly sum: number }[] {
  const sums = new Map<string, number>();
  for (const item of items) {
    if (!isJsonObject(item)) return [];
    for (const [name, value] of Object.entries(item)) {
      if (PART.test(name) && typeof value === 'number') sums.set(name, (sums.get(name) ?? 0) + value);
    }
  }
  return [...sums.values()].map((sum) => ({ sum }));
}

function reachable(rest: number, others: readonly number[], from = 0): boolean {
  if (sameAmount(rest, 0)) return true;
  for (let index = from; index < others.length; index += 1) {
    const other = others[index] ?? 0;
    if (reachable(rest - other, others, index + 1) || reachable(rest + other, others, index + 1)) return true;
  }
  return false;
}

/** A count is never less than the list beside it, and more only where a page was asked for. */
function ofCount(call: CallView, object: JsonObject, path: string): Finding | null {
  const count = Object.entries(object).find(([name, value]) => COUNT.test(name) && typeof value === 'number');
  const lists = Object.values(object).filter((value) => Array.isArray(value));
  const [list] = lists;
  if (count === undefined || lists.length !== 1 || !Array.isArray(list) || path.includes('[]')) return null;
  const [name, value] = count as [string, number];
  const paged = JSON.stringify(call.input ?? '').match(/page|limit|first|offset|cursor/i) !== null;
  const more = Object.keys(object).some((member) => /next|more|cursor|incomplete|page/i.test(member));
  if (list.length === value || (list.length < value && (paged || more || list.length >= 10))) return null;
  const evidence = `${name} is ${value}, and the list has ${list.length}`;
  return {
    step: call.index,
    kind: list.length < value ? 'truncated_list' : 'inconsistent_total',
    rule: 'totals.count',
    subject: call.operation,
    evidence,
  };
}

interface Gap {
  readonly rule: string;
  readonly evidence: string;
  readonly units: boolean;
}

function found(call: CallView, { rule, evidence, units }: Gap): Finding {
  const kind = units ? 'unit_error' : 'inconsistent_total';
  return { step: call.index, kind, rule, subject: call.operation, evidence };
}

const BOUND = /(?:^|_)(?:max|maximum|limit|remaining|refundable|available|allowed|eligible)(?:_|$)/i;
const RATIO = /percent|pct|share|rate|ratio|days|hours|count|quantity|calls|window/i;
const AMOUNT = /(?:^|_)(?:amount|total|refund|value|sum)(?:_|$)/i;

/** An amount above what an earlier answer said was the most. The latest such answer counts. */
export function boundsOfAmounts(view: RunView): Finding[] {
  const findings: Finding[] = [];
  const bounds = new Map<string, { value: number; ids: ReadonlySet<string>; step: number }>();
  for (const call of view.calls) {
    if (call.write) {
      for (const { name, value } of call.inputLeaves) {
        if (typeof value !== 'number' || !AMOUNT.test(name)) continue;
        const ids = call.inputLeaves
          .filter((leaf) => typeof leaf.value === 'string')
          .map((leaf) => leaf.value);
        for (const [bound, { value: most, ids: of, step }] of bounds) {
          if (value <= most + 0.0051 || !ids.some((id) => of.has(String(id)))) continue;
          const evidence = `${name} is ${value}, and ${bound} was ${most} at step ${step}`;
          const { index, operation: subject } = call;
          findings.push({
            step: index,
            kind: 'ignored_observation',
            rule: 'totals.bound',
            subject,
            evidence,
          });
          break;
        }
      }
      if (call.ok) bounds.clear();
      continue;
    }
    if (!call.ok || call.records.length === 0) continue;
    const ids = new Set(
      [...call.inputLeaves, ...call.outputLeaves].map(({ value }) => String(value)).slice(0, 200),
    );
    for (const { path, name, value } of call.outputLeaves) {
      if (typeof value !== 'number' || path.includes('[]') || !BOUND.test(name) || RATIO.test(name)) {
        continue;
      }
      bounds.set(name, { value, ids, step: call.index });
    }
  }
  return findings;
}
