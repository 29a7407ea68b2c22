import { UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { formFault, type PlaceOf, type Scenario } from '../scenarios/index.ts';
import type { Service } from '../service/types.ts';
import { toolboxOf } from '../session/index.ts';

type Path = readonly PropertyKey[];

/**
 * Checks the arguments of the reference's calls against their tools, and that every `$result` means a call
 * before its own. It looks at the filled-in scenario, as a template may become a value of any kind.
 * @throws UsageError with the place of the first argument that does not fit.
 */
export function checkArguments(
  { reference }: Scenario,
  { place, services }: { readonly place: PlaceOf; readonly services: readonly Service[] },
): void {
  const { byName } = toolboxOf(services);
  for (const [call, { tool, arguments: given, fails }] of reference.calls.entries()) {
    const base: Path = ['reference', 'calls', call, 'arguments'];
    const refuse = (path: Path, message: string, hint?: string): never => {
      throw new UsageError('arguments', `${[...base, ...path].map(String).join('.')}: ${message}`, {
        place: place([...base, ...path]),
        ...(hint !== undefined && { hint }),
      });
    };
    const results = resultsIn(given, []);
    for (const { path, index } of results) {
      if (Number.isInteger(index) && Number(index) >= 0 && Number(index) < call) continue;
      refuse([...path, '$result'], ...noSuchCall(index, call, reference.calls.length));
    }
    const input = byName.get(tool)?.input;
    // A call that is meant to fail may be meant to fail by its arguments.
    if (!input || fails !== undefined) continue;
    const fault = formFault(input, given, (path) => results.some((result) => isWithin(path, result.path)));
    if (!fault) continue;
    const message = fault.isKey ? `${tool} has no such argument` : fault.message;
    refuse(fault.path, message, fault.hint);
  }
}

function noSuchCall(index: Json | undefined, call: number, count: number): [string, string] {
  const calls = `${count} ${count === 1 ? 'call' : 'calls'}`;
  return [
    `${JSON.stringify(index)} is no call before this one, which is call ${call} of ${calls}`,
    call === 0 ? 'the first call has none before it' : `calls count from 0: give 0 to ${call - 1}`,
  ];
}

/** Every `{$result, path}` in the arguments, and where it stands. */
function resultsIn(value: Json | undefined, path: Path): { path: Path; index: Json | undefined }[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => resultsIn(item, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  if (Object.hasOwn(value, '$result')) return [{ path, index: value.$result }];
  return Object.entries(value).flatMap(([name, member]) => resultsIn(member, [...path, name]));
}

/** True for a value that only running tells, and for parts of it. */
function isWithin(path: Path, around: Path): boolean {
  return around.every((part, index) => path[index] === part);
}
