import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import { type FaultPlan, servicesUnder, withTwins } from '../faults/index.ts';
import type { Service, Tool } from '../service/types.ts';
import { toolboxOf } from '../session/index.ts';
import type { OfferedTool } from './types.ts';

const schemas = new WeakMap<Tool, JsonObject>();

/** The tools of these services as an agent is offered them; only those named, where names are given. */
export function offeredTools(
  services: readonly Service[],
  {
    names,
    plan,
  }: { readonly names?: readonly string[] | undefined; readonly plan?: FaultPlan | undefined } = {},
): OfferedTool[] {
  const { tools, toolNames } = toolboxOf(servicesUnder(services, plan));
  const offered = names && withTwins(names, plan);
  return tools
    .filter(({ tool }) => (offered ? offered.includes(tool.name) : toolNames.has(tool.name)))
    .map(({ tool, callable }) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: schemaOf(tool),
      effect: callable.effect,
    }));
}

function schemaOf(tool: Tool): JsonObject {
  let schema = schemas.get(tool);
  if (!schema) {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(tool.input, { io: 'input' }) as JsonObject;
    schema = rest;
    schemas.set(tool, schema);
  }
  return schema;
}
