import { describe, expect, it } from 'vitest';
import { publishedMembers } from './published.ts';

const members = publishedMembers({
  paths: {
    '/things': {
      get: {
        operationId: 'things/list',
        responses: {
          200: {
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/a' } } } },
          },
          404: { $ref: '#/components/gone' },
        },
      },
      delete: { operationId: 'things/clear', responses: { 204: { description: 'gone' } } },
    },
  },
  components: {
    gone: { content: { 'application/json': { schema: { properties: { message: {} } } } } },
    a: {
      allOf: [
        { properties: { id: {}, parent: { $ref: '#/components/a' } } },
        {
          properties: {
            tags: { additionalProperties: { properties: { color: {} } } },
            open: { type: 'object' },
          },
        },
      ],
    },
  },
});

describe('published members', () => {
  it.each([
    ['/*/id', true],
    ['/*/parent/parent/id', true],
    ['/*/tags/red/color', true],
    ['/*/tags/red/size', false],
    ['/*/open/anything', true],
    ['/*/invented', false],
    ['/message', false],
  ])('of a list: %s is %s', (pointer, expected) => {
    expect(members.has('things/list', 200, pointer)).toBe(expected);
  });

  it('are those of the class of statuses, of any where it has none, all where nothing is published', () => {
    expect(members.has('things/list', 422, '/message')).toBe(true);
    expect(members.has('things/list', 422, '/invented')).toBe(false);
    expect(members.has('things/list', 500, '/*/id')).toBe(true);
    expect(members.has('things/clear', 204, '/x')).toBe(true);
    expect(members.has('unknown', 200, '/x')).toBe(true);
  });
});
