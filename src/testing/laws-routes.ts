import { z } from 'zod';
import type { HttpBinding, Operation, Service } from '../service/types.ts';

const PARAMETER = /\{(\w+)\*?\}/gu;

/** What an operation's paths and bodies give is what its input takes. */
export function bindingProblems(operation: Operation, http: HttpBinding): string[] {
  const { id } = operation;
  const takes = inputNames(operation);
  const missing = parametersOf(http.path)
    .filter((name) => !Object.hasOwn(operation.example, name))
    .map((name) => `${id}: the path has {${name}}, the input has no such member`);
  const bodies = [http.bareBody, http.rawBody].filter((name) => name !== undefined && !takes.has(name));
  return [
    ...missing,
    ...bodies.map((name) => `${id}: the body goes to ${name}, which the input has not`),
    ...(http.bareBody !== undefined && http.rawBody !== undefined
      ? [`${id}: the body cannot go to two inputs`]
      : []),
    ...(http.aliases ?? []).flatMap((alias) => aliasProblems(id, alias, takes)),
    ...[http.path, ...(http.aliases ?? []).map(({ path }) => path)].flatMap((path) => pathProblems(id, path)),
  ];
}

function aliasProblems(
  id: string,
  { path, values }: NonNullable<HttpBinding['aliases']>[number],
  takes: ReadonlySet<string>,
): string[] {
  const parameters = parametersOf(path);
  const used = Object.values(values).flatMap(parametersOf);
  const inputs = [...Object.keys(values), ...parameters.filter((name) => !used.includes(name))];
  return [
    ...used
      .filter((name) => !parameters.includes(name))
      .map((name) => `${id}: a value uses {${name}}, which ${path} has not`),
    ...inputs
      .filter((name) => !takes.has(name))
      .map((name) => `${id}: ${path} gives ${name}, which the input has not`),
  ];
}

function pathProblems(id: string, path: string): string[] {
  return [
    ...(path.startsWith('/') ? [] : [`${id}: the path ${path} begins without a slash`]),
    ...(/\*\}./u.test(path) ? [`${id}: ${path} takes the rest of the path before its end`] : []),
  ];
}

/** One operation at each method and path, aliases and what is not modelled included. */
export function routeProblems({ operations, coverage }: Service): string[] {
  const modelled = operations.flatMap(({ http }) =>
    http ? [http.path, ...(http.aliases ?? []).map(({ path }) => path)].map(placeOf(http.method)) : [],
  );
  const absent = coverage.flatMap(({ http, status }) =>
    http && status === 'absent' ? [placeOf(http.method)(http.path)] : [],
  );
  const places = [...modelled, ...absent];
  const twice = new Set(places.filter((place, index) => places.indexOf(place) !== index));
  return [...twice].map((place) => `two operations are at ${place}`);
}

function placeOf(method: string): (path: string) => string {
  return (path) => `${method} ${path.replaceAll(/\{\w+/gu, '{')}`;
}

function parametersOf(text: string): string[] {
  return [...text.matchAll(PARAMETER)].map(([, name]) => name ?? '');
}

/** The members that an input is known to take: those of its example, and of its schema where it has any. */
function inputNames({ input, example }: Operation): ReadonlySet<string> {
  const described = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const shapes = [
    described,
    ...(described.anyOf ?? []),
    ...(described.oneOf ?? []),
    ...(described.allOf ?? []),
  ];
  const names = shapes.flatMap((shape) => Object.keys((shape as typeof described).properties ?? {}));
  return new Set([...Object.keys(example), ...names]);
}
