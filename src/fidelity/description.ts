import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { UsageError } from '../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { pointerParts } from './pointers.ts';

/** One operation as an API description has it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Names of parameters and members of the body, those that must be given among them. */
  readonly inputs: readonly string[];
  readonly required: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * Reads the operations of an API description: OpenAPI in JSON or YAML, or a table with an operation a line.
 * @throws UsageError for a file that is none of them.
 */
export function describedOperations(file: string): readonly DescribedOperation[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError('no-such-file', `there is no API description at ${file}`);
  }
  const operations = file.endsWith('.jsonl') ? tabled(text, file) : published(parsed(text, file), file);
  if (operations.length > 0) return operations;
  throw new UsageError('bad-description', `${file} describes no operation`);
}

function parsed(text: string, file: string): Json {
  try {
    return (/^\s*\{/u.test(text) ? JSON.parse(text) : parseYaml(text)) as Json;
  } catch {
    throw new UsageError('bad-description', `the API description ${file} is neither JSON nor YAML`);
  }
}

/** The operations of a table such as `{operation, method, path, params, body}`, one a line. */
function tabled(text: string, file: string): readonly DescribedOperation[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = null;
    }
    if (!isJsonObject(value) || typeof value.operation !== 'string') {
      throw new UsageError('bad-description', 'the line names no operation', {
        place: { file, line: index + 1 },
      });
    }
    const { operation, method, path, params, body } = value;
    const inputs = [...objectsOf(params), ...objectsOf(body)];
    return [
      {
        id: operation,
        method: String(method ?? 'GET').toUpperCase(),
        path: String(path ?? ''),
        inputs: namesOf(inputs),
        required: namesOf(inputs.filter(({ required }) => required === true)),
      },
    ];
  });
}

/** The operations of an OpenAPI description. */
function published(root: Json, file: string): readonly DescribedOperation[] {
  if (!isJsonObject(root) || !isJsonObject(root.paths)) {
    throw new UsageError('bad-description', `${file} is no OpenAPI description: it has no paths`);
  }
  const base = basePath(root);
  return Object.entries(root.paths).flatMap(([path, item]) => {
    if (!isJsonObject(item)) return [];
    return METHODS.flatMap((method): DescribedOperation[] => {
      const operation = item[method];
      if (!isJsonObject(operation)) return [];
      const params = [...objectsOf(item.parameters), ...objectsOf(operation.parameters)].map((one) =>
        resolved(root, one),
      );
      const shown = params.filter((one) => one.in !== 'header' && one.in !== 'cookie');
      const body = bodyOf(root, operation);
      return [
        {
          id:
            typeof operation.operationId === 'string'
              ? operation.operationId
              : `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: `${base}${path}`,
          inputs: [...namesOf(shown), ...body.members],
          required: [...namesOf(shown.filter(({ required }) => required === true)), ...body.required],
        },
      ];
    });
  });
}

/** The path of the first server's address, which all paths are below. */
function basePath({ servers }: JsonObject): string {
  const url = objectsOf(servers)[0]?.url;
  if (typeof url !== 'string') return '';
  return url.replace(/^[a-z]+:\/\/[^/]*/u, '').replace(/\/$/u, '');
}

function bodyOf(
  root: JsonObject,
  operation: JsonObject,
): { readonly members: readonly string[]; readonly required: readonly string[] } {
  const { content, required: needed } = isJsonObject(operation.requestBody)
    ? resolved(root, operation.requestBody)
    : {};
  const [media] = isJsonObject(content) ? Object.values(content) : [];
  const schema = isJsonObject(media) && isJsonObject(media.schema) ? resolved(root, media.schema) : {};
  const parts = [schema, ...objectsOf(schema.allOf).map((one) => resolved(root, one))];
  const members = parts.flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required.map(String) : []));
  return { members, required: needed === false && required.length === 0 ? [] : required };
}

function resolved(root: JsonObject, value: JsonObject): JsonObject {
  let at: Json | undefined = value;
  for (let hops = 0; hops < 20 && isJsonObject(at) && typeof at.$ref === 'string'; hops += 1) {
    let target: Json | undefined = root;
    for (const part of pointerParts(at.$ref.replace(/^#/u, ''))) {
      target = isJsonObject(target) ? target[part] : undefined;
    }
    at = target;
  }
  return isJsonObject(at) ? at : {};
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function namesOf(inputs: readonly JsonObject[]): readonly string[] {
  return inputs.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}
