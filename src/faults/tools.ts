import { z } from 'zod';
import type { Service, Tool } from '../service/types.ts';
import type { Effect, FaultEffect } from './effects.ts';
import type { FaultPlan } from './types.ts';

/** Effects that an agent sees before its first call, in the list of its tools. */
type ListedEffect = Effect<
  'tool-twin' | 'description-contrary' | 'description-planted' | 'parameter-required' | 'parameter-untyped'
>;

/** True for an effect that changes the list of tools: it holds from the start or not at all. */
export function changesToolList(effect: FaultEffect): effect is ListedEffect {
  switch (effect.kind) {
    case 'tool-twin':
    case 'description-contrary':
    case 'description-planted':
    case 'parameter-untyped':
      return true;
    case 'parameter-required':
      return effect.announced !== false;
    default:
      return false;
  }
}

const known = new WeakMap<readonly Service[], Map<string, readonly Service[]>>();

/**
 * The services as a plan makes them look: with twins of tools, other descriptions, further arguments. The
 * very same services where no rule does that; one list for all plans that do the same.
 */
export function servicesUnder(services: readonly Service[], plan: FaultPlan | undefined): readonly Service[] {
  const effects = (plan?.rules ?? []).map(({ effect }) => effect).filter(changesToolList);
  if (effects.length === 0) return services;
  const ofServices = known.get(services) ?? new Map<string, readonly Service[]>();
  known.set(services, ofServices);
  const key = JSON.stringify(effects);
  const made = ofServices.get(key) ?? services.map((service) => drifted(service, effects));
  ofServices.set(key, made);
  return made;
}

/** The names of the tools on offer, twins of them included. */
export function withTwins(names: readonly string[], plan: FaultPlan | undefined): readonly string[] {
  const twins = (plan?.rules ?? []).flatMap(({ effect }) =>
    effect.kind === 'tool-twin' && names.includes(effect.tool) ? [twinNameOf(effect)] : [],
  );
  return twins.length === 0 ? names : [...new Set([...names, ...twins])];
}

/** What the twin of a tool is called. */
export function twinNameOf({ tool, name }: Effect<'tool-twin'>): string {
  return name ?? `${tool}_v2`;
}

/** The one of two twins whose description says that it is deprecated. */
export function deprecatedOf(effect: Effect<'tool-twin'>): string {
  return effect.deprecated === 'twin' ? twinNameOf(effect) : effect.tool;
}

function drifted(service: Service, effects: readonly ListedEffect[]): Service {
  const tools = service.tools.flatMap((tool) =>
    lookOf(
      tool,
      effects.filter((one) => one.tool === tool.name),
    ),
  );
  return { ...service, tools };
}

function lookOf(tool: Tool, effects: readonly ListedEffect[]): readonly Tool[] {
  let look = tool;
  let twins: readonly Tool[] = [];
  for (const effect of effects) {
    switch (effect.kind) {
      case 'description-contrary':
        look = { ...look, description: effect.text };
        break;
      case 'description-planted':
        look = { ...look, description: `${look.description} ${effect.text}` };
        break;
      case 'parameter-required':
        look = announcing(look, withArgument(look.input, effect.name));
        break;
      case 'parameter-untyped':
        look = announcing(look, withoutType(look.input, effect.name));
        break;
      case 'tool-twin': {
        const twin = { ...tool, name: twinNameOf(effect) };
        const old = deprecatedOf(effect) === tool.name;
        const [gone, kept] = old ? [look, twin] : [twin, look];
        const told = { ...gone, description: `Deprecated: use ${kept.name}. ${gone.description}` };
        look = old ? told : look;
        twins = [...twins, old ? twin : told];
      }
    }
  }
  return [look, ...twins];
}

/** A tool that says something else of its arguments than it holds calls to. */
function announcing(tool: Tool, input: z.ZodType): Tool {
  return { ...tool, input, accepts: tool.accepts ?? tool.input };
}

function withArgument(input: z.ZodType, name: string): z.ZodType {
  return input instanceof z.ZodObject ? input.extend({ [name]: z.string() }) : input;
}

/** The argument may be anything, as far as the list of tools tells. */
function withoutType(input: z.ZodType, name: string): z.ZodType {
  if (!(input instanceof z.ZodObject)) return input;
  const shape = input.shape as Readonly<Record<string, z.ZodType>>;
  const argument = shape[name];
  if (!argument) return input;
  const { description } = argument;
  const any = description === undefined ? z.any() : z.any().describe(description);
  return input.extend({ [name]: argument.safeParse(undefined).success ? any.optional() : any });
}
