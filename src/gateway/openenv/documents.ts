import type { JsonObject } from '../../base/json.ts';
import type { SessionHost } from '../host/index.ts';
import { VERSION } from '../host/version.ts';
import { ACTION_MEMBERS } from './actions.ts';
import type { OpenEnvOptions } from './options.ts';

/** `/metadata`: every member of the reference, absent ones as null. */
export function metadata(host: SessionHost, options: OpenEnvOptions): JsonObject {
  const services = host.source.services.map(({ name }) => name).join(', ');
  const { length } = host.source.choices;
  const content = length === 0 ? 'free play' : `${length} scenario${length === 1 ? '' : 's'}`;
  return {
    name: options.name ?? 'groundhog',
    description: options.description ?? `Simulated tool world of ${services}: ${content}`,
    readme_content: null,
    version: VERSION,
    author: null,
    documentation_url: null,
  };
}

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer', minimum: 0 };
const ANY_OBJECT = { type: 'object', additionalProperties: true };

/** `/schema`. */
export function schema(): JsonObject {
  return {
    action: {
      title: 'Action',
      oneOf: Object.entries(ACTION_MEMBERS).map(([type, members]) => ({
        type: 'object',
        title: type,
        properties: {
          type: { const: type },
          metadata: ANY_OBJECT,
          ...Object.fromEntries(
            Object.entries(members).map(([name, { kind }]) => [
              name,
              kind === 'text' ? TEXT : kind === 'whole' ? WHOLE : ANY_OBJECT,
            ]),
          ),
        },
        required: [
          'type',
          ...Object.entries(members).flatMap(([name, { required }]) => (required ? [name] : [])),
        ],
        additionalProperties: false,
      })),
      type: 'object',
    },
    observation: {
      ...ANY_OBJECT,
      title: 'Observation',
      properties: {
        step_count: WHOLE,
        done_reason: { type: ['string', 'null'] },
        tool_name: TEXT,
        result: {},
        error: { type: ['object', 'null'] },
      },
    },
    state: {
      ...ANY_OBJECT,
      title: 'State',
      properties: { episode_id: { type: ['string', 'null'] }, step_count: WHOLE },
    },
  };
}

const JSON_ANSWER = { 200: { description: 'OK', content: { 'application/json': { schema: ANY_OBJECT } } } };

/** `/openapi.json`. Its version is that of the protocol, by which the validator knows the profile. */
export function openApi(host: SessionHost, options: OpenEnvOptions): JsonObject {
  const { name, description } = metadata(host, options);
  const get = (summary: string): JsonObject => ({ get: { summary, responses: JSON_ANSWER } });
  const post = (summary: string): JsonObject => ({
    post: {
      summary,
      requestBody: { content: { 'application/json': { schema: ANY_OBJECT } } },
      responses: JSON_ANSWER,
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: String(name), description: String(description), version: '1.0.0' },
    paths: {
      '/reset': post('Begins an episode'),
      '/step': post('Takes one action'),
      '/state': get('Where the episode stands'),
      '/metadata': get('Name and description'),
      '/health': get('Whether the server is well'),
      '/schema': get('Schemas of actions, observations and state'),
      '/mcp': post('Model Context Protocol, and the JSON-RPC dialect of OpenEnv'),
    },
  };
}

/** `/docs`: one page for people. */
export function docsPage(host: SessionHost, options: OpenEnvOptions): string {
  const { name, description } = metadata(host, options);
  const rows = Object.entries(openApi(host, options).paths as JsonObject).map(([path, methods]) => {
    const [[method = '', entry] = []] = Object.entries(methods as JsonObject);
    return `<tr><td>${method.toUpperCase()}</td><td><code>${path}</code></td><td>${
      (entry as JsonObject).summary
    }</td></tr>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(name)}</title>
<h1>${escaped(name)}</h1><p>${escaped(description)}</p><table>${rows.join('\n')}
<tr><td>WebSocket</td><td><code>/ws</code></td><td>The session protocol of OpenEnv</td></tr></table>
<p><a href="/openapi.json">openapi.json</a></p></html>\n`;
}

function escaped(text: unknown): string {
  return String(text).replace(/[&<>"]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
}
