import { join } from 'node:path';
import { commandOf } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { onSignals } from '@lintel/service/command-line/signals';
import { problemsInWords, readRulesFile, rulesInWords } from '@lintel/device-runtime/rules-command/rules-file';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { readLines } from './line-mode.ts';
import { showScreen } from './screen-face.ts';
import { TrialDoor, type TrialOptions } from './trial-door.ts';
import { demoMember } from './trial-slice.ts';

const usage = `lintel simulate door [--profile FILE] [--rules FILE]

A door in the terminal: the firmware with the parts of a product, none of them real, and a demo member who may do everything.
Tries a profile and input rules before anybody drives to the door.

  --profile FILE   the product, default hardware-profiles/profiles/laptop-simulator.json
  --rules FILE     input rules as \`lintel rules check\` takes them

  0-9 * #   the keypad          e   the exit button
  c         the demo card       o   opens an unlocked door, closes an open one
  x         an unknown card     f   forces the door
  Tab, d    next station, next door                    q   quits

Without a terminal the same characters come in lines, and what happens is printed; "." waits a second:

  echo 2580 | npx lintel simulate door
`;

const laptop = join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json');

const options = { profile: { type: 'string' }, rules: { type: 'string' } } as const;

const filesOf = (args: readonly string[]): Omit<TrialOptions, 'tell'> => {
  const { profile = laptop, rules } = parseCall({ args, options }).values;
  const product = loadProfile(profile);
  if (rules === undefined) return { profile: product, rules: [], rulesFile: null };
  const read = readRulesFile(rules);
  if (!read.ok) throw new Error(problemsInWords(rules, read.problems));
  return { profile: product, rules: read.value.input_rules, rulesFile: rules };
};

const introduce = (door: TrialDoor, { profile, rules }: Omit<TrialOptions, 'tell'>): string =>
  [
    `${profile.name}. ${demoMember.name}: PIN ${demoMember.pin}, card ${demoMember.card}`,
    rulesInWords(rules),
    ...door.assumed,
    '',
  ].join('\n');

export const command = commandOf(usage, async (args, { stdin, stdout }) => {
  const files = filesOf(args);
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  let isIntroduced = false;
  const tell = (words: string): void => {
    if (isIntroduced && !isTerminal) stdout.write(`${words}\n`);
  };
  const door = await TrialDoor.open({ ...files, tell });
  try {
    if (isTerminal) await showScreen(door, { input: process.stdin, output: process.stdout });
    else {
      stdout.write(introduce(door, files));
      isIntroduced = true;
      using _ = onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], () => process.exit(0));
      await readLines(door, stdin, stdout);
    }
  } finally {
    await door.close();
  }
  return 0;
});
