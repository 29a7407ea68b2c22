import { describe, expect, it } from 'vitest';
import { openScene } from './scene.test-kit.ts';

/** Inputs that nobody means, which once broke something. */

describe('numbers that are none', () => {
  it.each(['abc', '1e999', 'Infinity', '-1e400'])(
    'begin the list of all repositories at its start: %s',
    (since) => {
      const { call } = openScene();
      const { status, body } = call('repos/list-public', { since });
      expect(status).toBe(200);
      expect(body).toEqual(call('repos/list-public').body);
    },
  );
});
