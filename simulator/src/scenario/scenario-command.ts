import { createCliCommand, type CommandHandler, rethrowCommandErrors } from '@lintel/service/command-line/cli-command';
import {
  parseCommandArguments,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { listenForSignals } from '@lintel/service/command-line/listen-for-signals';
import type { ScenarioStepProgress } from '@lintel/wire-protocol/simulator/scenario-run';
import { playScenario } from './play-scenario.ts';
import { readScenarioFile } from './file/scenario-file.ts';

const usage = `lintel simulate scenario FILE [--json]

Runs a scenario file against the real bridge and firmware in simulated time: a whole night takes seconds. Prints the
result of each step. Stops at the first step that fails, prints what was seen instead, and exits with code 1.

  --json   print one JSON document at the end instead of text

  npx lintel simulate scenario simulator/scenarios/power-cut.json
`;

const marks: Readonly<Record<ScenarioStepProgress['outcome'], string>> = {
  passed: '✓',
  failed: '✗',
  running: '…',
  waiting: ' ',
};

const lineOf = ({ words, outcome, seen }: ScenarioStepProgress): string =>
  `  ${marks[outcome]} ${words}\n${seen === null ? '' : `      seen: ${seen}\n`}`;

/** Prints each step as soon as it has passed or failed. */
const printer = (print: (text: string) => void) => {
  let printed = 0;
  return (steps: readonly ScenarioStepProgress[]): void => {
    for (let step = steps[printed]; step?.outcome === 'passed' || step?.outcome === 'failed'; step = steps[printed]) {
      print(lineOf(step));
      printed += 1;
    }
  };
};

const options = { json: { type: 'boolean' } } as const;

const run: CommandHandler = async (args, { stdout, stderr }) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  rejectExtraArguments(positionals, 1);
  const file = requireOption(positionals[0], 'FILE');
  const isJson = values.json === true;
  const scenario = readScenarioFile(file);
  if (!scenario.ok) {
    // A problem without a path is one of the file, which it names.
    stderr.write(
      scenario.problems.map(({ path, message }) => `${path === '' ? '' : `${file}: ${path} `}${message}\n`).join(''),
    );
    return 1;
  }
  // The exit handler removes the scratch folders, which would otherwise stay in memory.
  using _ = listenForSignals(['SIGINT', 'SIGTERM'], () => process.exit(1));
  const { title, about } = scenario.value;
  const print = (text: string): void => void (isJson || stdout.write(text));
  print(`${title}\n${about === '' ? '' : `${about}\n`}\n`);
  const played = await playScenario(scenario.value, { onProgress: printer(print) });
  const ending = played.outcome === 'passed' ? `Passed: ${played.steps.length} steps` : 'Failed';
  print(`\n${played.problem === null ? ending : `${ending}: ${played.problem}`}\n`);
  if (isJson) stdout.write(`${JSON.stringify({ title, about, ...played }, null, 2)}\n`);
  return played.outcome === 'passed' ? 0 : 1;
};

export const command = createCliCommand(usage, run, rethrowCommandErrors);
