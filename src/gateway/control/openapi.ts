import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import type { ControlRoute } from './route.ts';
import { controlRoutes } from './routes.ts';
import { health, problem } from './schemas.ts';

/** Where the version of the control plane begins. */
export const CONTROL_PREFIX = '/_groundhog/control/v1';
export const HEALTH_PATH = '/_groundhog/health';

/** The OpenAPI 3.1 document of the control plane, made from its routes. */
export function openApiDocument(): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of controlRoutes) {
    const path = `${CONTROL_PREFIX}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  paths[HEALTH_PATH] = { get: healthOperation() };
  paths[`${CONTROL_PREFIX}/metrics`] = {
    get: textOperation('metrics', 'Figures in Prometheus text format.'),
  };
  paths[`${CONTROL_PREFIX}/openapi.json`] = { get: textOperation('openApi', 'This document.') };
  return {
    openapi: '3.1.0',
    info: { title: 'Groundhog control plane', version: '1' },
    security: [{ controlToken: [] }],
    paths,
    components: {
      securitySchemes: { controlToken: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: described(problem, 'output') },
    },
  };
}

function operationOf(route: ControlRoute): JsonObject {
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query)];
  return {
    operationId: route.name,
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { content: { 'application/json': { schema: described(route.body, 'input') } } },
    }),
    responses: { 200: answerOf(route.answer), default: PROBLEM },
  };
}

const PROBLEM = {
  description: 'Why not, in one sentence.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function answerOf(answer: ControlRoute['answer']): JsonObject {
  if (typeof answer === 'string') return textAnswer(answer);
  return {
    description: 'Done.',
    content: { 'application/json': { schema: described(answer, 'output') } },
  };
}

function textAnswer(mediaType: string): JsonObject {
  return { description: 'Done.', content: { [mediaType]: { schema: { type: 'string' } } } };
}

function healthOperation(): JsonObject {
  return {
    operationId: 'health',
    summary: 'Whether the server is up. Needs no token.',
    security: [],
    responses: { 200: answerOf(health) },
  };
}

function textOperation(operationId: string, summary: string): JsonObject {
  const type = operationId === 'metrics' ? 'text/plain' : 'application/json';
  return { operationId, summary, responses: { 200: textAnswer(type), default: PROBLEM } };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | null): JsonObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = described(query, 'input');
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    schema: schema ?? {},
  }));
}

function described(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject;
  return rest;
}
