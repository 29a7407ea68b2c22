import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helpdesk } from './index.ts';
import { POLICY } from './policy.ts';

describe('the policy', () => {
  it('is the text of policy.md', () => {
    expect(POLICY).toBe(readFileSync(new URL('policy.md', import.meta.url), 'utf8'));
    expect(helpdesk.policy).toBe(POLICY);
  });

  it('names no tool that the desk does not have', () => {
    const names = new Set(helpdesk.tools.map((tool) => tool.name));
    const mentioned = POLICY.match(/\b[a-z]+_[a-z_]+\b/gu) ?? [];
    expect(mentioned.filter((name) => !names.has(name))).toEqual([]);
  });
});
