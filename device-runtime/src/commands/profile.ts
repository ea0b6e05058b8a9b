import { commandOf, unforeseen, UsageError } from '@lintel/device-link/command-line/command';
import { parseCall } from '@lintel/device-link/command-line/options';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import { checkProfileFile, loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { Profile, ProfileProblem } from '@lintel/hardware-profiles/profile-schema';

const usage = `lintel profile list [--json]
lintel profile check FILE [--json]

Hardware profiles: one JSON file describes a product, its buses, lines, stations and gadgets.

  list    the products that come with Lintel
  check   reads a profile and names every problem with its place; answers 1 when there is one

  --json  one JSON document on stdout

  npx lintel profile check hardware-profiles/profiles/usb-only.json
`;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
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

const list = (json: boolean): number => {
  const profiles = loadProfiles();
  if (json) {
    print(JSON.stringify(profiles.map(summaryOf)));
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
  print(lines.join('\n'));
  return 0;
};

const inWords = (file: string, { path, message }: ProfileProblem): string =>
  [file, ...(path === '' ? [] : [path]), message].join(': ');

const check = (file: string, json: boolean): number => {
  const checked = checkProfileFile(file);
  if (json) print(JSON.stringify(checked.ok ? { ok: true, ...summaryOf(checked.profile) } : checked));
  else if (!checked.ok) complain(checked.problems.map(one => inWords(file, one)).join('\n'));
  else {
    const { product_id, name, gadgets } = summaryOf(checked.profile);
    const actions = gadgets.map(gadget => `  ${gadget.name}: ${gadget.actions.map(({ id }) => id).join(', ')}`);
    print([`${file} is fine: ${product_id}, ${name}`, ...actions].join('\n'));
  }
  return checked.ok ? 0 : 1;
};

const options = { json: { type: 'boolean' } } as const;

const run = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [verb, file, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`${more[0]} is one word too many`);
  if (verb === 'list' && file === undefined) return list(values.json === true);
  if (verb === 'check' && file !== undefined) return check(file, values.json === true);
  throw new UsageError();
};

export const command = commandOf(usage, run, unforeseen);
