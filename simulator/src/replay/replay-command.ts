import { commandOf, type RunCommand, unforeseen } from '@lintel/service/command-line/command';
import { parseCall, requireAtMost, required } from '@lintel/service/command-line/options';
import { firmwareVersion } from '@lintel/device-runtime/firmware-version';
import { rulesInWords } from '@lintel/device-runtime/rules-command/rules-file';
import { readBundle, type ReadBundle } from './bundle.ts';
import { printable } from './printable.ts';
import { type Replayed, replayBundle } from './replay.ts';
import { timeLine } from './time-line.ts';
import { untold } from './untold.ts';

const usage = `lintel simulate replay BUNDLE [--json]

Plays a support bundle from the field again: shows what happened there, and what the firmware of now would do with the same
inputs and the same rules. A bundle has no secrets in it, so some of it cannot be known, and that is said.

  --json   one JSON document in place of the lines
`;

const marks: Readonly<Record<Replayed['verdict'], string>> = { same: '=', different: '≠', unknown: '?' };

const replayedLine = ({ at, input, decided, now, verdict }: Replayed): string =>
  [
    `  ${marks[verdict]} ${at}  ${printable(decided)}\n`,
    ...(verdict === 'same' ? [] : [`      by ${input}; now: ${printable(now)}\n`]),
  ].join('');

const count = (replayed: readonly Replayed[], verdict: Replayed['verdict']): number =>
  replayed.filter(one => one.verdict === verdict).length;

const summaryOf = (replayed: readonly Replayed[] | null): string =>
  replayed === null
    ? 'The profile in the bundle is none that this firmware can work with: nothing was played.'
    : `${replayed.length} decisions: ${count(replayed, 'same')} the same, ${count(replayed, 'different')} different, ${count(replayed, 'unknown')} that the bundle does not tell.`;

const inLines = (read: ReadBundle, replayed: readonly Replayed[] | null): string => {
  const { status, versions, made_at, input_rules } = read.bundle;
  const list = (lines: readonly string[]): string => lines.map(line => `  ${printable(line)}\n`).join('');
  return [
    `${printable(`${status.name}, ${status.product_id}, firmware ${versions['lintel'] ?? status.firmware}`)} (here ${firmwareVersion()}), made ${made_at}\n`,
    `\nRules\n${list(rulesInWords(input_rules).split('\n'))}`,
    `\nWhat happened\n${list(timeLine(read).map(({ at, words }) => `${at}  ${words}`))}`,
    `\nPlayed again\n${(replayed ?? []).map(replayedLine).join('')}  ${summaryOf(replayed)}\n`,
    `\nWhat the bundle cannot tell\n${list(untold(read))}`,
  ].join('');
};

const options = { json: { type: 'boolean' } } as const;

const run: RunCommand = async (args, { stdout, stderr }) => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  requireAtMost(positionals, 1);
  const file = required(positionals[0], 'BUNDLE');
  const isJson = values.json === true;
  const read = readBundle(file);
  if (!read.ok) {
    stderr.write(read.problems.map(({ path, message }) => `${file}: ${path} ${message}\n`).join(''));
    return 1;
  }
  const replayed = await replayBundle(read.value);
  const document = {
    time_line: timeLine(read.value),
    replayed,
    summary: summaryOf(replayed),
    untold: untold(read.value),
  };
  stdout.write(isJson ? `${JSON.stringify(document, null, 2)}\n` : inLines(read.value, replayed));
  return 0;
};

export const command = commandOf(usage, run, unforeseen);
