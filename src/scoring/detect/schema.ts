import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { namesDeed } from './effects.ts';
import type { Finding } from './types.ts';
import type { CallView, RunView } from './view.ts';

/** Calls against the tools' schemas, and bodies that are no JSON where they look like it. */
export function conformance(view: RunView): Finding[] {
  return view.calls.flatMap((call) => {
    const findings = [...ofCall(view, call)];
    const broken = brokenBody(call);
    if (broken !== null) {
      const { index: step, operation: subject } = call;
      findings.push({ step, kind: 'malformed_body', rule: 'schema.body', subject, evidence: broken });
    }
    return findings;
  });
}

function ofCall(view: RunView, { index, call, input, operation }: CallView): Finding[] {
  const add = (rule: string, evidence: string, kind: Finding['kind'] = 'invalid_call'): Finding[] => [
    { step: index, kind, rule, subject: operation, evidence },
  ];
  if (call.arguments.kind === 'malformed') return add('schema.malformed', 'the arguments are no JSON');
  const tool = view.tools.get(call.tool);
  if (tool === undefined) {
    const known = view.run.tools.length > 0;
    return known ? add('schema.tool', `there is no tool ${call.tool}`, 'wrong_tool') : [];
  }
  const { inputSchema } = tool;
  if (inputSchema === null || input === null) return [];
  const { required, properties, additionalProperties } = inputSchema;
  for (const name of Array.isArray(required) ? (required as readonly Json[]) : []) {
    if (typeof name === 'string' && input[name] === undefined) {
      return add('schema.required', `${call.tool} needs ${name}`);
    }
  }
  if (!isJsonObject(properties)) return [];
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      if (additionalProperties === false) return add('schema.unknown', `${call.tool} takes no ${name}`);
    } else if (isJsonObject(property) && !fits(property, value)) {
      return add('schema.type', `${name} of ${call.tool} is not what its schema says`);
    }
  }
  return [];
}

function fits(property: JsonObject, value: Json | undefined): boolean {
  const { type, enum: values } = property;
  if (Array.isArray(values)) return (values as readonly Json[]).includes(value as Json);
  const types = Array.isArray(type) ? (type as readonly Json[]) : typeof type === 'string' ? [type] : [];
  return types.length === 0 || types.some((one) => isOfType(value, one));
}

function isOfType(value: Json | undefined, type: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** A text that starts as JSON and is none, or nothing where a result was due. */
function brokenBody({ output, call }: CallView): string | null {
  if (call.result === null || call.failed === true) return null;
  if (typeof output !== 'string') return null;
  if (output.trim() === '') return namesDeed(call.tool) ? `${call.tool} came back empty` : null;
  // Only a text that opens with a member or an item: prose may open with a bracket.
  return /^\s*(?:\{\s*"|\[\s*[{["\d])/.test(output) ? 'the body starts as JSON and is none' : null;
}
