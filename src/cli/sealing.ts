import { UsageError } from '../base/errors.ts';
import type { Invocation } from './command.ts';
import { listOption, textOption } from './options.ts';

/** What `bank seal` and `bank unseal` are asked for. @throws UsageError without a key file */
export function sealingOptions(options: Invocation['options']): {
  readonly keyPath: string;
  readonly ids: readonly string[] | undefined;
} {
  const keyPath = textOption(options, 'key');
  if (keyPath === undefined || keyPath === '') {
    throw new UsageError('no-key', 'name the key file', { hint: '--key ~/keys/my-bank.key' });
  }
  const ids = listOption(options, 'scenario');
  return { keyPath, ids: ids.length === 0 ? undefined : ids };
}
