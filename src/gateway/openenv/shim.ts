import { digestText } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type AgentTool, agentTools } from '../host/episode-tools.ts';
import type { EnvironmentSource } from '../host/index.ts';
import { docText, identifiers, literal, pythonType } from './python.ts';
import { shimTail } from './shim-tail.ts';

/** What a shim is written for. */
export interface ShimRequest {
  /** The world's name, such as `helpdesk`. */
  readonly world: string;
  readonly tools: readonly AgentTool[];
  /** Where the server listens unless the environment variable `GROUNDHOG_URL` says otherwise. */
  readonly url?: string;
  /** Of the Python class; made of the world's name when left out. */
  readonly className?: string;
}

/** What the class itself uses: no tool may be called so in Python. */
const RESERVED = ['reset', 'step', 'state', 'close', 'reward', 'done', 'episode_id', 'observation'];

/** Every tool that any environment of this source offers, by name. */
export function toolsOfSource(source: EnvironmentSource): readonly AgentTool[] {
  const requests =
    source.choices.length === 0 ? [source.defaults] : source.choices.map((scenario) => ({ scenario }));
  const byName = new Map<string, AgentTool>();
  for (const request of requests) {
    for (const tool of agentTools(source.open(request)).list) byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

/**
 * The Python file with the class that TRL's `environment_factory` takes: a constructor without arguments,
 * `reset(**row)`, and one typed, documented method for each tool. It needs `websockets`, which comes with
 * every OpenEnv client, and nothing else.
 * @throws UsageError for an address that no server can have.
 */
export function shimSource({ world, tools, url = 'http://127.0.0.1:4747', className }: ShimRequest): string {
  assertAddress(url);
  const names = identifiers(
    tools.map(({ name }) => name),
    RESERVED,
  );
  const methods = tools.map((tool, index) => methodOf(tool, names[index] ?? 'tool'));
  const signatures = tools.map((tool) => `        ${literal(tool.name)}: ${literal(signatureOf(tool))},\n`);
  return `"""The world ${docText(world)} as an environment class, such as TRL's \`environment_factory\` takes.

Written by \`groundhog openenv shim\`: write it anew when the tools change, and leave it as it is.
"""

import json
import os
import warnings
import weakref
from contextlib import ExitStack
from typing import Any, Optional, Union

try:
    import websockets
    from websockets.exceptions import ConnectionClosed, WebSocketException
    from websockets.sync.client import connect
except ImportError:
    raise ImportError("an environment is reached over websockets: pip install websockets") from None

_LOOPBACK = ("ws://localhost", "ws://127.", "ws://[::1]")


class ${className ?? classNameOf(world)}:
    """One episode at a time in the world ${docText(world)}, on a Groundhog server.

    Every public method but \`reset\` is a tool. After an episode \`reward\` is 1.0 or 0.0.
    """

    SERVER_URL = ${literal(url)}
    WORLD = ${literal(world)}
    TOOLS_HASH = ${literal(toolsHash(tools))}
    _SIGNATURES = {
${signatures.join('')}    }

    def __init__(self):
        self._socket = None
        self.reward = 0.0
        self.done = False
        self.episode_id = None
        self.observation = {}
        self._offered = None

${methods.join('\n')}
${shimTail}`;
}

function assertAddress(url: string): void {
  if (/^(?:http|ws)s?:\/\/./u.test(url) && URL.canParse(url)) return;
  throw new UsageError('bad-url', `${JSON.stringify(url)} is no address of a server`, {
    hint: 'such as http://127.0.0.1:4747',
  });
}

/** Names of tools and arguments, hashed: what a shim must agree on with its server. */
export function toolsHash(tools: readonly AgentTool[]): string {
  const lines = tools.map((tool) => `${tool.name}(${signatureOf(tool)})`).sort();
  return digestText(lines.join('\n'));
}

function propertiesOf({ inputSchema }: AgentTool): readonly (readonly [string, Json])[] {
  const { properties } = inputSchema;
  return isJsonObject(properties)
    ? Object.entries(properties).map(([name, schema]) => [name, schema ?? {}])
    : [];
}

function signatureOf(tool: AgentTool): string {
  return propertiesOf(tool)
    .map(([name]) => name)
    .sort()
    .join(',');
}

function classNameOf(world: string): string {
  const words = world.split(/[^A-Za-z0-9]+/u).filter((word) => word !== '');
  const name = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
  return /^[A-Za-z]/u.test(name) ? `${name}Env` : `World${name}Env`;
}

interface Parameter {
  readonly name: string;
  readonly argument: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

function methodOf(tool: AgentTool, name: string): string {
  const parameters = parametersOf(tool);
  const ordered = [...parameters].sort((left, right) => Number(right.required) - Number(left.required));
  const declared = ordered.map(({ name: parameter, type, required }) =>
    required ? `${parameter}: ${type}` : `${parameter}: ${optional(type)} = None`,
  );
  const documented = ordered.map(
    ({ name: parameter, description }) => `            ${parameter}: ${docText(description)}\n`,
  );
  const args = documented.length === 0 ? '' : `\n        Args:\n${documented.join('')}`;
  const given = parameters
    .filter(({ required }) => required)
    .map(({ name: parameter, argument }) => `${literal(argument)}: ${parameter}`);
  const left = parameters
    .filter(({ required }) => !required)
    .map(
      ({ name: parameter, argument }) =>
        `        if ${parameter} is not None:\n            arguments[${literal(argument)}] = ${parameter}\n`,
    );
  return `    def ${name}(${['self', ...declared].join(', ')}) -> str:
        """${docText(tool.description)}
${args}
        Returns:
            The answer as text, JSON where it has members.
        """
        arguments = {${given.join(', ')}}
${left.join('')}        return self.${tool.kind === 'message' ? '_say' : '_call'}(${literal(tool.name)}, arguments)
`;
}

function optional(type: string): string {
  return type === 'Any' || type.startsWith('Optional[') ? type : `Optional[${type}]`;
}

function parametersOf(tool: AgentTool): readonly Parameter[] {
  const properties = propertiesOf(tool);
  const names = identifiers(
    properties.map(([name]) => name),
    ['self', 'arguments'],
  );
  const { required } = tool.inputSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return properties.map(([argument, schema], index) => ({
    name: names[index] ?? argument,
    argument,
    type: pythonType(schema, tool.inputSchema),
    required: needed.has(argument),
    description: describe(argument, schema),
  }));
}

/** What TRL tells a model about an argument; choices stand at the end, where it looks for them. */
function describe(name: string, schema: Json): string {
  const { description, enum: choices } = isJsonObject(schema) ? schema : ({} as JsonObject);
  const text =
    typeof description === 'string' && description !== '' ? description : `The ${name.replaceAll('_', ' ')}.`;
  return Array.isArray(choices) ? `${text} (choices: ${JSON.stringify(choices)})` : text;
}
