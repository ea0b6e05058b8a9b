import { commandOf, type RunCommand, unforeseen, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { onSignals } from '@lintel/service/command-line/signals';
import type { ScenarioStep } from '@lintel/wire-protocol/simulator/scenario-run';
import { playScenario } from './play.ts';
import { readScenario } from './file/scenario-file.ts';

const usage = `lintel simulate scenario FILE [--json]

Plays a scenario on the real bridge and the real firmware, without waiting: a night passes in moments. Prints each step and
how it went; the exit code is 1 when something is not as the file expects, and then it says what was seen instead.

  --json   one JSON document at the end in place of the lines

  npx lintel simulate scenario simulator/scenarios/power-cut.json
`;

const marks: Readonly<Record<ScenarioStep['outcome'], string>> = {
  passed: '✓',
  failed: '✗',
  running: '…',
  waiting: ' ',
};

const lineOf = ({ words, outcome, seen }: ScenarioStep): string =>
  `  ${marks[outcome]} ${words}\n${seen === null ? '' : `      seen: ${seen}\n`}`;

/** Prints every step as soon as it is decided. */
const printer = (print: (text: string) => void) => {
  let printed = 0;
  return (steps: readonly ScenarioStep[]): void => {
    for (let step = steps[printed]; step?.outcome === 'passed' || step?.outcome === 'failed'; step = steps[printed]) {
      print(lineOf(step));
      printed += 1;
    }
  };
};

const options = { json: { type: 'boolean' } } as const;

const run: RunCommand = async (args, { stdout, stderr }) => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('a scenario file is required');
  const isJson = values.json === true;
  const scenario = readScenario(file);
  if (!scenario.ok) {
    stderr.write(scenario.problems.map(({ path, message }) => `${file}: ${path} ${message}\n`).join(''));
    return 1;
  }
  // Folders in memory outlive a process that is cut short without this.
  using _ = onSignals(['SIGINT', 'SIGTERM'], () => process.exit(1));
  const { title, about } = scenario.value;
  const print = (text: string): void => void (isJson || stdout.write(text));
  print(`${title}\n${about === '' ? '' : `${about}\n`}\n`);
  const played = await playScenario(scenario.value, printer(print));
  const ending = played.outcome === 'passed' ? `Passed: ${played.steps.length} steps` : 'Failed';
  print(`\n${played.problem === null ? ending : `${ending}: ${played.problem}`}\n`);
  if (isJson) stdout.write(`${JSON.stringify({ title, about, ...played }, null, 2)}\n`);
  return played.outcome === 'passed' ? 0 : 1;
};

export const command = commandOf(usage, run, unforeseen);
