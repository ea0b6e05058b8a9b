import { join } from 'node:path';
import { createCliCommand } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { listenForSignals } from '@lintel/service/command-line/listen-for-signals';
import {
  describeInputRulesProblems,
  readInputRulesFile,
  describeInputRules,
} from '@lintel/device-runtime/rules-command/rules-file';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { runTerminalLineMode } from './terminal-line-mode.ts';
import { runTerminalFullScreen } from './terminal-full-screen-mode.ts';
import { DoorSimulation, type DoorSimulationOptions } from './door-simulation.ts';
import { terminalDemoMemberCredentials } from './local-snapshot-message.ts';

const usage = `lintel simulate door [--profile FILE] [--rules FILE]

Operate a simulated door in the terminal. The real firmware runs with simulated hardware and one demo member with access to
everything. Use it to test a hardware profile and input rules before the installation.

  --profile FILE   the product: a file, or an id of \`lintel profile list\` (default: laptop-simulator)
  --rules FILE     input rules, in the format of \`lintel rules check\`

Keys:
  0-9 * #   press a key on the keypad    e   press the exit button
  c         tap the demo member's card   o   open an unlocked door, close an open door
  x         tap an unknown card          f   force the door open
  Tab       next station                 d   next door
  q         quit

Without a terminal, the keys are read from standard input, and events are printed. "." waits for one second:

  echo 2580 | npx lintel simulate door
`;

const laptop = join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json');

const options = { profile: { type: 'string' }, rules: { type: 'string' } } as const;

const filesOf = (args: readonly string[]): Omit<DoorSimulationOptions, 'onText'> => {
  const { profile = laptop, rules } = parseCommandArguments({ args, options }).values;
  const product = loadProfile(profile);
  if (rules === undefined) return { profile: product, rules: [], rulesFile: null };
  const read = readInputRulesFile(rules);
  if (!read.ok) throw new Error(describeInputRulesProblems(rules, read.problems));
  return { profile: product, rules: read.value.input_rules, rulesFile: rules };
};

const introductionOf = (door: DoorSimulation, { profile, rules }: Omit<DoorSimulationOptions, 'onText'>): string =>
  [
    `${profile.name}. ${terminalDemoMemberCredentials.name}: PIN ${terminalDemoMemberCredentials.pin}, card ${terminalDemoMemberCredentials.card}`,
    describeInputRules(rules),
    ...door.assumptions,
    '',
  ].join('\n');

export const command = createCliCommand(usage, async (args, { stdin, stdout }) => {
  const files = filesOf(args);
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  let isIntroduced = false;
  const onText = (text: string): void => {
    if (isIntroduced && !isTerminal) stdout.write(`${text}\n`);
  };
  const door = await DoorSimulation.open({ ...files, onText });
  try {
    if (isTerminal) await runTerminalFullScreen(door, { input: process.stdin, output: process.stdout });
    else {
      stdout.write(introductionOf(door, files));
      isIntroduced = true;
      using _ = listenForSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], () => process.exit(0));
      await runTerminalLineMode(door, stdin, stdout);
    }
  } finally {
    await door.close();
  }
  return 0;
});
