import { createCliCommand, type CommandHandler, rethrowCommandErrors } from '@lintel/service/command-line/cli-command';
import {
  parseCommandArguments,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { readFirmwareVersion } from '@lintel/device-runtime/firmware-version';
import { describeInputRules } from '@lintel/device-runtime/rules-command/rules-file';
import { readSupportBundleFile, type ParsedSupportBundle } from './read-support-bundle.ts';
import { replaceControlCharacters } from './replace-control-characters.ts';
import { type ReplayedDecision, replaySupportBundle } from './replay-support-bundle.ts';
import { buildSupportBundleTimeline } from './support-bundle-timeline.ts';
import { describeReplayLimitations } from './replay-limitations.ts';

const usage = `lintel simulate replay BUNDLE [--json]

Replays a support bundle. Lists the recorded events, and compares each decision with the decision of the current firmware for
the same input and rules. A bundle contains no PINs and permissions; the output lists what cannot be compared.

  --json   print one JSON document instead of text
`;

const marks: Readonly<Record<ReplayedDecision['verdict'], string>> = { same: '=', different: '≠', unknown: '?' };

const formatReplayed = ({ at, input, decided, now, verdict }: ReplayedDecision): string =>
  [
    `  ${marks[verdict]} ${at}  ${replaceControlCharacters(decided)}\n`,
    ...(verdict === 'same' ? [] : [`      input: ${input}; now: ${replaceControlCharacters(now)}\n`]),
  ].join('');

const count = (replayed: readonly ReplayedDecision[], verdict: ReplayedDecision['verdict']): number =>
  replayed.filter(decision => decision.verdict === verdict).length;

const summaryOf = (replayed: readonly ReplayedDecision[] | null): string =>
  replayed === null
    ? 'Nothing was replayed: this firmware does not support the profile in the bundle.'
    : `${replayed.length} decisions: ${count(replayed, 'same')} the same, ${count(replayed, 'different')} different, ${count(replayed, 'unknown')} unknown.`;

const formatReport = (read: ParsedSupportBundle, replayed: readonly ReplayedDecision[] | null): string => {
  const { status, versions, made_at, input_rules } = read.bundle;
  const list = (lines: readonly string[]): string =>
    lines.map(line => `  ${replaceControlCharacters(line)}\n`).join('');
  return [
    `${replaceControlCharacters(`${status.name}, ${status.product_id}, firmware ${versions['lintel'] ?? status.firmware}`)} (replayed with ${readFirmwareVersion()}), created ${made_at}\n`,
    `\nRules\n${list(describeInputRules(input_rules).split('\n'))}`,
    `\nRecorded events\n${list(buildSupportBundleTimeline(read).map(({ at, words }) => `${at}  ${words}`))}`,
    `\nReplayed decisions\n${(replayed ?? []).map(formatReplayed).join('')}  ${summaryOf(replayed)}\n`,
    `\nLimitations of the bundle\n${list(describeReplayLimitations(read))}`,
  ].join('');
};

const options = { json: { type: 'boolean' } } as const;

const run: CommandHandler = async (args, { stdout, stderr }) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  rejectExtraArguments(positionals, 1);
  const file = requireOption(positionals[0], 'BUNDLE');
  const isJson = values.json === true;
  const read = readSupportBundleFile(file);
  if (!read.ok) {
    for (const { path, code, message } of read.problems) {
      // Such a problem names the file.
      const place = code === 'unreadable' ? '' : `${file}: ${path === '' ? '' : `${path} `}`;
      stderr.write(`${place}${message}\n`);
    }
    return 1;
  }
  const replayed = await replaySupportBundle(read.value);
  const document = {
    time_line: buildSupportBundleTimeline(read.value),
    replayed,
    summary: summaryOf(replayed),
    untold: describeReplayLimitations(read.value),
  };
  stdout.write(isJson ? `${JSON.stringify(document, null, 2)}\n` : formatReport(read.value, replayed));
  return 0;
};

export const command = createCliCommand(usage, run, rethrowCommandErrors);
