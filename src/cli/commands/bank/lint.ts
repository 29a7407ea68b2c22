import type { Json } from '../../../base/json.ts';
import { loadSoundParts } from '../../../runner/bank.ts';
import { lintBank } from '../../../runner/certify/lint.ts';
import { WorldCache } from '../../../runner/worlds.ts';
import type { Command, ExitCode } from '../../command.ts';
import { typeable } from '../../command-line.ts';

export const command: Command = {
  summary: 'Certify every scenario of a bank by execution: reference, idle agents, mutants, replay, lock.',
  args: [{ name: 'bank', description: 'BANK or BANK/SCENARIO: a folder or a catalog name', variadic: true }],
  options: [],
  examples: ['bank lint banks/helpdesk', 'bank lint helpdesk/refund-88213 --json'],
  keys: [
    'scenarios',
    'certified',
    'mutationScore',
    'families [id]: certified for their default instance only',
    'mutants {all, killed, equivalent}',
    'problems [{scenario, file, line, column, rule, message}]',
    'survivors [{scenario, mutant, equivalent}]',
  ],
  exits: '0 every scenario certified · 1 a problem · 2 misuse',
  run: async ({ args, output }): Promise<ExitCode> => {
    const bank = await loadSoundParts(args, new WorldCache());
    const lint = lintBank(bank, ({ done, of, scenario }) =>
      output.progress(`${done}/${of} scenarios, ${scenario}`, done === of),
    );
    for (const { file, line, column, rule, message, scenario } of lint.problems) {
      output.line(
        `${file}:${line}:${column}: ${rule}: ${typeable(message)}${scenario ? ` [${scenario}]` : ''}`,
      );
    }
    const count = (of: 'mutants' | 'killed' | 'equivalent'): number =>
      lint.scenarios.reduce((total, scenario) => total + scenario[of], 0);
    const mutants = { all: count('mutants'), killed: count('killed'), equivalent: count('equivalent') };
    for (const { scenario, mutant, equivalent } of lint.survivors) {
      output.line(
        `${scenario}: ${mutant}: ${equivalent ? 'ends in the same world (equivalent)' : 'not noticed'}`,
      );
    }
    const score = lint.mutationScore === null ? '—' : `${(lint.mutationScore * 100).toFixed(1)} %`;
    const families = lint.scenarios
      .filter(({ family, scenario }) => family && !scenario.includes('~'))
      .map(({ scenario }) => scenario);
    const certified = `${lint.certified} of ${lint.scenarios.length} scenarios certified`;
    const note = families.length > 0 ? ' (families: default instance)' : '';
    output.line(`\n${certified}${note}, mutation score ${score}`);
    output.line(`(${mutants.killed} of ${mutants.all} mutants noticed, ${mutants.equivalent} equivalent)`);
    output.json({
      bank: { name: bank.name, hash: bank.hash },
      scenarios: lint.scenarios.length,
      certified: lint.certified,
      mutationScore: lint.mutationScore,
      families,
      mutants,
      problems: lint.problems as unknown as Json,
      survivors: lint.survivors as unknown as Json,
    });
    return lint.problems.length === 0 ? 0 : 1;
  },
};
