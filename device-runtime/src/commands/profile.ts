import {
  createCliCommand,
  type CommandStreams,
  type CommandWriter,
  type CommandHandler,
  rethrowCommandErrors,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import {
  parseCommandArguments,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { describeUnknownSubcommand } from '@lintel/service/command-line/subcommands';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import { checkProfileFile, describeProfileProblem, loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { findProductWarnings } from '@lintel/hardware-profiles/product-warnings';
import type { Profile, ProfileProblem } from '@lintel/hardware-profiles/check-profile';

const usage = `lintel profile list [--json]
lintel profile check FILE [--json]

Hardware profiles: one JSON file describes a product, its buses, lines, stations and gadgets.

  list    the products that come with Lintel
  check   checks a profile and lists every problem with its position; exits with 1 when there is
          one; warns about unusual settings

  --json  one JSON document on stdout

  npx lintel profile check hardware-profiles/profiles/usb-only.json
`;

const print = (to: CommandWriter, text: string): void => {
  to.write(`${text}\n`);
};

const driversOf = ({ buses }: Profile): string =>
  [...new Set(Object.values(buses).map(({ driver }) => driver))].join(', ');

const summaryOf = (profile: Profile) => ({
  product_id: profile.product_id,
  name: profile.name,
  revision: profile.revision,
  capabilities: profile.capabilities,
  gadgets: toApiGadgets(profile),
});

const list = (json: boolean, { stdout }: CommandStreams): number => {
  const profiles = loadProfiles();
  if (json) {
    print(stdout, JSON.stringify(profiles.map(summaryOf)));
    return 0;
  }
  const width = Math.max(...profiles.map(({ product_id }) => product_id.length));
  const lines = profiles.flatMap(profile => {
    const gadgets = profile.gadgets.map(({ name }) => name).join(', ');
    return [
      `${profile.product_id.padEnd(width)}  ${profile.name}`,
      ...(gadgets === '' ? [] : [`${' '.repeat(width)}  gadgets ${gadgets}; drivers ${driversOf(profile)}`]),
    ];
  });
  print(stdout, lines.join('\n'));
  return 0;
};

const formatProblems = (file: string, problems: readonly ProfileProblem[], begin = ''): string =>
  problems.map(problem => `${begin}${describeProfileProblem(file, problem)}`).join('\n');

const check = (file: string, json: boolean, { stdout, stderr }: CommandStreams): number => {
  const checked = checkProfileFile(file);
  if (!checked.ok) {
    if (json) print(stdout, JSON.stringify(checked));
    else print(stderr, formatProblems(file, checked.problems));
    return 1;
  }
  const { profile } = checked;
  const warnings = findProductWarnings(file, profile, loadProfiles());
  if (json) {
    print(stdout, JSON.stringify({ ok: true, ...summaryOf(profile), warnings }));
    return 0;
  }
  const { product_id, name, gadgets } = summaryOf(profile);
  const actions = gadgets.map(gadget => `  ${gadget.name}: ${gadget.actions.map(({ id }) => id).join(', ')}`);
  print(stdout, [`${file} is valid: ${product_id}, ${name}`, ...actions].join('\n'));
  if (warnings.length > 0) print(stderr, formatProblems(file, warnings, 'warning: '));
  return 0;
};

const options = { json: { type: 'boolean' } } as const;

const run: CommandHandler = async (args, streams) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  const [verb, ...words] = positionals;
  if (verb !== 'list' && verb !== 'check')
    throw new UsageError(describeUnknownSubcommand(verb ?? '', ['list', 'check']));
  rejectExtraArguments(words, verb === 'list' ? 0 : 1);
  const json = values.json === true;
  return verb === 'list' ? list(json, streams) : check(requireOption(words[0], 'FILE'), json, streams);
};

export const command = createCliCommand(usage, run, rethrowCommandErrors);
