/**
 * Writes the pages that are made from code: command reference, README table, JSON Schema. `--check` only
 * compares.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SERVICES } from '../src/catalog/index.ts';
import type { Command } from '../src/cli/command.ts';
import { COMMANDS, loadCommand } from '../src/cli/commands.ts';
import { EFFECTS, type EffectKind, faultPlanFile } from '../src/faults/index.ts';
import { controlRoutes } from '../src/gateway/control/routes.ts';
import { gatesSchema } from '../src/runner/gates/index.ts';
import { scenarioSchema } from '../src/scenarios/index.ts';
import { RISK_NAMES, RISKS } from '../src/scoring/index.ts';

const ROOT = new URL('..', import.meta.url).pathname;

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

/** Every generated file with the text that it should have. */
export async function generatedPages(): Promise<Readonly<Record<string, string>>> {
  const commands: NamedCommand[] = [];
  for (const words of COMMANDS) commands.push({ name: words.join(' '), command: await loadCommand(words) });
  return {
    'README.md': between(read('README.md'), { mark: 'commands', text: commandTable(commands) }),
    'docs/control.md': between(read('docs/control.md'), { mark: 'routes', text: routeTable() }),
    'docs/faults.md': between(read('docs/faults.md'), { mark: 'effects', text: effectTable() }),
    'docs/risks.md': between(read('docs/risks.md'), { mark: 'risks', text: riskTable() }),
    'docs/proxy.md': between(read('docs/proxy.md'), { mark: 'services', text: serviceTable() }),
    'docs/reference/cli.md': commandReference(commands),
    'docs/reference/faults.schema.json': jsonSchema('Groundhog fault plans', faultPlanFile),
    'docs/reference/gates.schema.json': jsonSchema('Groundhog gates', gatesSchema),
    'docs/reference/scenario.schema.json': jsonSchema('Groundhog scenario', scenarioSchema),
  };
}

/** Commands that the README shows in one row, by names or first words, and what they do together. */
const FAMILIES: readonly { readonly names: readonly string[]; readonly summary: string }[] = [
  {
    names: ['show', 'report'],
    summary: 'A trajectory step by step, or the trials of a run; one HTML page about one or more runs.',
  },
  {
    names: ['compare', 'power', 'flakes'],
    summary:
      'Is the second run better than the first, how many scenarios it takes to see that, and what is luck.',
  },
  {
    names: ['replay', 'diff', 'fork'],
    summary: 'A trajectory played again to the byte, held against another, taken up at any step.',
  },
  {
    names: ['resilience', 'blame', 'shrink'],
    summary:
      'How an agent got over faults, which step cost a run its success, and the shortest run that still fails.',
  },
  {
    names: ['bank'],
    summary: 'Look into banks, prove them by execution, lock them, seal scenarios of them.',
  },
  {
    names: ['score', 'detect'],
    summary:
      'Traces that you already have: metrics and invariants, and faulty steps found without world or model.',
  },
  {
    names: ['testbed', 'risks', 'judge'],
    summary: 'Labelled runs of a bank, one known fault or risk in each; judges and guards measured on them.',
  },
  {
    names: ['serve', 'mcp'],
    summary:
      'Worlds over REST, MCP and OpenEnv with a control plane beside them; one to an MCP client on stdio.',
  },
  { names: ['world'], summary: 'Digests and row counts of a world; a SQLite file of it, and back.' },
  { names: ['openenv'], summary: 'What a trainer needs: its Python class, episodes as records.' },
  { names: ['tau'], summary: 'Recorded tau-bench runs: replayed and compared, or made a run of their own.' },
];

/** A row for each command or family; what belongs to a command of its own stands in its reference. */
function commandTable(commands: readonly NamedCommand[]): string {
  const known = new Set(commands.map(({ name }) => name));
  const rows = commands.flatMap(({ name, command }) => {
    const [first = ''] = name.split(' ');
    const family = FAMILIES.find(({ names }) => names.includes(first));
    if (family === undefined) {
      return first !== name && known.has(first)
        ? []
        : [`| \`${usageOf(name, command)}\` | ${command.summary} |`];
    }
    const members = commands.filter((one) => family.names.includes(one.name.split(' ')[0] ?? ''));
    if (members[0]?.name !== name) return [];
    // Words of one command stand once: `bank list`, `show`.
    const shown = members.map((one, index) =>
      index > 0 && one.name.startsWith(`${first} `) ? one.name.slice(first.length + 1) : one.name,
    );
    return [`| ${shown.map((one) => `\`${one}\``).join(', ')} | ${family.summary} |`];
  });
  return ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
}

function usageOf(name: string, { args }: Command): string {
  const words = args.map(({ name: word, optional, variadic }) => {
    const text = `${word.toUpperCase()}${variadic ? '…' : ''}`;
    return optional ? `[${text}]` : text;
  });
  return [name, ...words].join(' ');
}

function commandReference(commands: readonly NamedCommand[]): string {
  const parts = commands.map(({ name, command }) => {
    const args = command.args.map(
      ({ name: word, description }) => `| \`${word.toUpperCase()}\` | ${description} |`,
    );
    const options = command.options.map(({ name: option, value, description, default: given }) => {
      const flag = `--${option}${value ? ` ${value.toUpperCase()}` : ''}`;
      return `| \`${flag}\` | ${description}${given === undefined ? '' : ` (default \`${given}\`)`} |`;
    });
    const rows = [...args, ...options, '| `--json` | one JSON object as the last line of stdout |'];
    return [
      `## groundhog ${name}`,
      command.summary,
      ['| argument or option | meaning |', '| --- | --- |', ...rows]
        .join('\n')
        .replaceAll(' | null', ' or null'),
      command.examples.map((example) => `    groundhog ${example}`).join('\n'),
      `JSON keys: ${command.keys.map((key) => `\`${key}\``).join(', ')}.`,
      ...(command.exits ? [`Exit codes: ${command.exits}.`] : []),
    ].join('\n\n');
  });
  const head = [
    '# Command line',
    'Made from the commands themselves by `npm run docs`. With `--json` everything but the last line goes to stderr; keys',
    'only get added. Estimates are `{value, low, high, se, n, clusters, method}` or `{value: null, reason}`. Exit codes: 0',
    'held, 1 fell short, 2 misuse, 3 infrastructure, 4 inconclusive.',
  ];
  return `${head[0]}\n\n${head.slice(1).join('\n')}\n\n${parts.join('\n\n')}\n`;
}

/** A schema for editors, which complete and check what a person writes. */
function jsonSchema(title: string, form: z.ZodType): string {
  const schema = z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title, ...schema }, null, 2)}\n`;
}

/** The routes of the control plane, as they declare themselves. */
function routeTable(): string {
  const rows = controlRoutes.map(({ method, path, body, query, summary }) => {
    const takes = [...membersOf(query, '?'), ...membersOf(body, '')].join(', ');
    return `| \`${method} ${path}\` | ${takes} | ${summary} |`;
  });
  return ['| route | takes | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}

function membersOf(schema: z.ZodType | null, before: string): string[] {
  if (!schema) return [];
  const { properties, anyOf } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const shapes = properties
    ? [properties]
    : (anyOf ?? []).map((one) => (one as typeof one & object).properties ?? {});
  return [...new Set(shapes.flatMap((shape) => Object.keys(shape)))].map((name) => `\`${before}${name}\``);
}

/** The effects of fault plans, group by group. */
function effectTable(): string {
  const kinds = Object.keys(EFFECTS) as EffectKind[];
  const rows = kinds.map((kind) => {
    const { facts, schema } = EFFECTS[kind];
    const { group, changes, on, summary } = facts;
    const takes = membersOf(schema, '').filter((name) => name !== '`kind`');
    const strikes = on === 'any' ? 'any call' : `${on}s`;
    return `| ${group} | \`${kind}\` | ${takes.join(', ')} | ${strikes} | ${changes} | ${summary} |`;
  });
  return [
    '| group | kind | takes | strikes | changes | what happens |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The twelve risks by their roots. */
function riskTable(): string {
  const rows = RISK_NAMES.map((name) => `| ${RISKS[name].root} | \`${name}\` | ${RISKS[name].summary} |`);
  return ['| root | risk | what it is |', '| --- | --- | --- |', ...rows].join('\n');
}

/** How programs reach each service that ships. */
function serviceTable(): string {
  const rows = SERVICES.map(({ name, access }) => {
    const [hosts, variables] = [access.hosts, access.environment].map((names) =>
      names.map((one) => `\`${one}\``).join(', '),
    );
    return `| ${name} | ${hosts} | ${variables} | \`${access.token.prefix}…\` |`;
  });
  return ['| service | hosts | variables | tokens |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The page with the text between the comments of this mark. */
function between(page: string, { mark, text }: { readonly mark: string; readonly text: string }): string {
  const [start, end] = [`<!-- ${mark}:start -->\n`, `<!-- ${mark}:end -->`];
  const [head, rest] = [page.indexOf(start), page.indexOf(end)];
  if (head < 0 || rest < head) throw new Error(`a page lacks its marks ${start.trim()} and ${end}`);
  return `${page.slice(0, head)}${start}${text}\n${page.slice(rest)}`;
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatedPages())) {
    if (existsSync(join(ROOT, file)) && read(file) === text) continue;
    if (process.argv.includes('--check')) {
      console.error(`${file} is stale: run \`npm run docs\``);
      process.exitCode = 1;
      continue;
    }
    mkdirSync(join(ROOT, file, '..'), { recursive: true });
    writeFileSync(join(ROOT, file), text);
    console.log(`${file} written`);
  }
}
