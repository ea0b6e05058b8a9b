import {
  commandOf,
  type CommandStreams,
  type CommandWriter,
  type RunCommand,
  unforeseen,
  UsageError,
} from '@lintel/service/command-line/command';
import { parseCall, requireAtMost, required } from '@lintel/service/command-line/options';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import { checkProfileFile, loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { productWarnings } from '@lintel/hardware-profiles/product-warnings';
import type { Profile, ProfileProblem } from '@lintel/hardware-profiles/profile-schema';

const usage = `lintel profile list [--json]
lintel profile check FILE [--json]

Hardware profiles: one JSON file describes a product, its buses, lines, stations and gadgets.

  list    the products that come with Lintel
  check   reads a profile and names every problem with its place; answers 1 when there is one;
          warns of what is allowed and will surprise

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
  gadgets: gadgetsOf(profile),
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

const inWords = (file: string, { path, message }: ProfileProblem): string =>
  [file, ...(path === '' ? [] : [path]), message].join(': ');

const lines = (file: string, problems: readonly ProfileProblem[], begin = ''): string =>
  problems.map(one => `${begin}${inWords(file, one)}`).join('\n');

const check = (file: string, json: boolean, { stdout, stderr }: CommandStreams): number => {
  const checked = checkProfileFile(file);
  if (!checked.ok) {
    if (json) print(stdout, JSON.stringify(checked));
    else print(stderr, lines(file, checked.problems));
    return 1;
  }
  const { profile } = checked;
  const warnings = productWarnings(file, profile, loadProfiles());
  if (json) {
    print(stdout, JSON.stringify({ ok: true, ...summaryOf(profile), warnings }));
    return 0;
  }
  const { product_id, name, gadgets } = summaryOf(profile);
  const actions = gadgets.map(gadget => `  ${gadget.name}: ${gadget.actions.map(({ id }) => id).join(', ')}`);
  print(stdout, [`${file} is fine: ${product_id}, ${name}`, ...actions].join('\n'));
  if (warnings.length > 0) print(stderr, lines(file, warnings, 'warning: '));
  return 0;
};

const options = { json: { type: 'boolean' } } as const;

const run: RunCommand = async (args, streams) => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [verb, ...words] = positionals;
  if (verb === undefined) throw new UsageError('list or check is required');
  if (verb !== 'list' && verb !== 'check') throw new UsageError(`there is no profile ${verb}: list or check`);
  requireAtMost(words, verb === 'list' ? 0 : 1);
  const json = values.json === true;
  return verb === 'list' ? list(json, streams) : check(required(words[0], 'FILE'), json, streams);
};

export const command = commandOf(usage, run, unforeseen);
