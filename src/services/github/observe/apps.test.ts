import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { openScene } from '../scene.test-kit.ts';
import { type Call, rebuilt, recorded } from './recorded.test-kit.ts';

const PLACE = { installation_id: 95_000_001 };
const TOKEN: Call = ['apps/create-installation-access-token', PLACE];

describe('a recording of apps', () => {
  it('tells what an installation may do by its token, where nothing else does', () => {
    const records = recorded(openScene(), [['apps/get-installation', PLACE], TOKEN]);
    const [first, second] = records;
    if (!first || !second) throw new Error('two calls are two records');
    const body = { ...(first.response.body as JsonObject), permissions: {} };
    const again = rebuilt([{ ...first, response: { ...first.response, body } }, second]);
    const { permissions } = second.response.body as JsonObject;
    expect(Object.keys(permissions ?? {}).length).toBeGreaterThan(0);
    expect(again.call(...TOKEN).body.permissions).toEqual(permissions);
  });
});
