import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { chatModelNamed, type ModelSettings } from './index.ts';

describe('a model that is named', () => {
  const named = (spec: string, settings: Partial<ModelSettings> = {}) =>
    chatModelNamed(spec, { environment: {}, ...settings });

  it('needs the key of a provider, and none of a server of one’s own', async () => {
    await expect(named('openai:gpt-4.1-mini')).rejects.toMatchObject({
      kind: 'no-key',
      message: 'there is no key for https://api.openai.com/v1: OPENAI_API_KEY is not set',
    });
    await expect(named('anthropic:claude-sonnet-4-5')).rejects.toMatchObject({ kind: 'no-key' });
    await expect(
      named('m', { baseUrl: 'http://localhost:1/v1', keyVariable: 'MY_KEY' }),
    ).rejects.toMatchObject({ kind: 'no-key', message: expect.stringContaining('MY_KEY') });
    expect((await named('m', { baseUrl: 'http://localhost:1/v1' })).name).toBe('openai:m');
  });

  it('may have a colon in its name, and a slash after its URL', async () => {
    const model = await named('qwen2.5:14b', { baseUrl: 'http://localhost:1/v1//' });
    expect(model.name).toBe('openai:qwen2.5:14b');
    expect(model.config).toEqual({
      protocol: 'openai',
      model: 'qwen2.5:14b',
      baseUrl: 'http://localhost:1/v1',
    });
  });

  it.each(['localhost:8000', 'ftp://host/v1', ''])(
    'needs a base URL that is one, not %j',
    async (baseUrl) => {
      await expect(named('m', { baseUrl })).rejects.toBeInstanceOf(UsageError);
    },
  );

  it.each(['https://someone:secret@host/v1', 'https://host/v1?key=secret', 'https://host/v1#secret'])(
    'takes no URL that may hold a secret, and does not repeat it: %s',
    async (baseUrl) => {
      const error = await named('m', { baseUrl }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).describe()).not.toContain('secret');
    },
  );

  it('needs a name', async () => {
    await expect(named('openai:')).rejects.toBeInstanceOf(UsageError);
  });

  it('needs its package, and says so; what else is here needs none', () => {
    const program = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (!specifier.startsWith('@ai-sdk/')) return next(specifier, context);
          throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
        },
      });
      const { chatModelNamed, modelIdentity } = await import('${import.meta.resolve('./index.ts')}');
      console.log(modelIdentity('anthropic:m', {}).name);
      await chatModelNamed('m', { baseUrl: 'http://localhost:1/v1', environment: {} }).catch((error) => {
        console.log(error.describe());
      });`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(output.trim().split('\n')).toEqual([
      'anthropic:m',
      expect.stringMatching(/^models need a provider package, which is not installed \(npm install /u),
    ]);
  });
});
