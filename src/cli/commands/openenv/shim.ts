import { writeFileSync } from 'node:fs';
import { UsageError } from '../../../base/errors.ts';
import { shimSource, toolsOfSource } from '../../../gateway/openenv/index.ts';
import { servedSource } from '../../../runner/served.ts';
import type { Command, ExitCode } from '../../command.ts';
import { TARGET_OPTIONS, targetOf, VARIANT_OPTIONS } from '../../hosting.ts';
import { textOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';

export const command: Command = {
  summary: 'Write the Python class that a trainer takes: reset, and one typed method per tool.',
  args: [],
  options: [
    ...TARGET_OPTIONS,
    ...VARIANT_OPTIONS,
    { name: 'out', value: 'file', description: 'the Python file to write' },
    {
      name: 'url',
      value: 'url',
      description: 'where the server is, unless GROUNDHOG_URL says otherwise',
      default: 'http://127.0.0.1:4747',
    },
    { name: 'class', value: 'name', description: "of the class (default: the world's, such as HelpdeskEnv)" },
  ],
  examples: [
    'openenv shim --services helpdesk --out env.py',
    'openenv shim --scenario helpdesk --url http://trainer:4747 --class Desk --out desk.py',
  ],
  keys: ['out', 'class', 'tools [names]', 'world'],
  run: async ({ options, output }): Promise<ExitCode> => {
    const out = textOption(options, 'out');
    if (!out?.endsWith('.py'))
      throw new UsageError('no-out', 'name the Python file to write', { hint: '--out env.py' });
    const className = textOption(options, 'class');
    if (className !== undefined && !/^[A-Za-z_]\w*$/u.test(className)) {
      throw new UsageError('bad-option', `--class takes a name of Python, not ${JSON.stringify(className)}`);
    }
    const target = targetOf(options);
    const tools = toolsOfSource(await servedSource(target));
    const world = worldOf(target);
    const url = textOption(options, 'url');
    const source = shimSource({
      world,
      tools,
      ...(url !== undefined && { url }),
      ...(className && { className }),
    });
    writeFileSync(out, source);
    const name = /^class (\w+)/mu.exec(source)?.[1] ?? '';
    output.line(`Written: ${out}, class ${name} with ${counted(tools.length, 'tool')}`);
    output.json({ out, class: name, tools: tools.map((tool) => tool.name), world });
    return 0;
  },
};

/** The bank's or the scenario's name, or those of the services. */
function worldOf({ scenarios = [], services = [] }: ReturnType<typeof targetOf>): string {
  const [first] = scenarios;
  if (first !== undefined)
    return (
      first
        .split('/')
        .filter((part) => part !== '')
        .at(-1) ?? first
    );
  return services.map((name) => name.split('/')[0] ?? name).join('-');
}
