import { isJsonObject } from '../../base/json.ts';
import { differenceKind } from './difference.ts';
import type { Finding } from './types.ts';
import { type CallView, isIdName, type RunView, type Scalar } from './view.ts';
import { plainName } from './words.ts';

/** Answers of another thing than was asked for, and writes that answer with other values than given. */
export function answersAgainstCalls(view: RunView): Finding[] {
  return view.calls.flatMap((call) => {
    if (!call.ok || call.input === null) return [];
    return isJsonObject(call.output) ? ofRecord(call) : ofList(call);
  });
}

function ofRecord(call: CallView): Finding[] {
  const { output, input } = call;
  if (!isJsonObject(output) || input === null) return [];
  const answered = new Map<string, { name: string; value: Scalar }>();
  for (const [name, value] of Object.entries(output)) {
    if (isScalar(value)) answered.set(plainName(name), { name, value });
  }
  const found: Finding[] = [];
  for (const [name, value] of Object.entries(input)) {
    const answer = answered.get(plainName(name));
    if (answer === undefined || !isScalar(value) || value === null || same(value, answer.value)) continue;
    const asked = isIdName(name);
    if (!asked && !call.write) continue;
    found.push({
      step: call.index,
      kind: asked ? 'wrong_entity' : echoKind(value, answer.value),
      rule: asked ? 'identity.asked' : 'identity.echo',
      subject: call.operation,
      evidence: `${name} was ${String(value)}, and the answer says ${String(answer.value)}`,
    });
  }
  // A list inside a wrapping answers a filter as a bare list does.
  return found.length > 0 ? found : ofList(call);
}

function echoKind(given: Scalar, answered: Scalar): Finding['kind'] {
  const kind = differenceKind(given, answered);
  return kind === 'altered_value' ? 'lost_write' : kind;
}

/** Items of a list that was asked for by a filter all carry the filter's value, if they carry its name. */
function ofList(call: CallView): Finding[] {
  for (const { name, value, path } of call.inputLeaves) {
    if (!isIdName(name) || path !== name || value === null) continue;
    const wanted = plainName(name);
    const carried = call.outputLeaves.filter(
      (leaf) => /^[^[\]]*\[\]\.[^[\]]+$|^\[\]\.[^[\]]+$/.test(leaf.path) && plainName(leaf.name) === wanted,
    );
    const other = carried.find((leaf) => !same(value, leaf.value) && leaf.path === carried[0]?.path);
    if (other === undefined) continue;
    const evidence = `${name} was ${String(value)}, and an item of the answer has ${String(other.value)}`;
    return [
      { step: call.index, kind: 'wrong_entity', rule: 'identity.items', subject: call.operation, evidence },
    ];
  }
  return [];
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function same(left: Scalar, right: Scalar): boolean {
  if (typeof left === 'boolean' || typeof right === 'boolean') return left === right;
  const [one, other] = [
    String(left).trim().toLowerCase(),
    String(right ?? '')
      .trim()
      .toLowerCase(),
  ];
  return one === other || (one !== '' && other !== '' && Number(one) === Number(other));
}
