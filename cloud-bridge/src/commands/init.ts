import { randomInt } from 'node:crypto';
import { rejectExtraArguments } from '@lintel/service/command-line/command-arguments';
import { rejectForeignDataFolder } from '@lintel/service/data-folder/data-folder';
import { findUserByEmail } from '../accounts/users.ts';
import { openBridgeServices } from '../open-services.ts';
import { createExampleSeed, createOrganizationSeed } from '../seed/new-organization-and-example-seeds.ts';
import { parseSeedFile } from '../seed/seed-file.ts';
import { seedOrganization } from '../seed/seed.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { type BridgeLocation, parseBridgeCommand, withBridgeData } from './bridge-location.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import { type InitAnswers, readInitAnswers } from './init-answers.ts';
import { findPublicUrl } from './public-url.ts';

const usage = `lintel init --data DIR [--database URL] [OPTIONS] [--json]

Creates an organization with its owner and one site. In a terminal, it asks for what is missing. Works while the bridge is
running.

  --organization NAME    name of the organization
  --owner ADDRESS        email address of the owner, who signs in to the console with it
  --password-file FILE   file with the password of the owner, in its first line
  --timezone ZONE        time zone of the site, such as Europe/Madrid (default: that of this machine)
  --example-data         also create three virtual doors, a schedule, two groups and two members with a PIN
  --json                 print one JSON document: {"organization_id", "owner_id", "site_id", "pins": {name: PIN}}

  npx lintel init --data .lintel/bridge --organization "Grand Hotel" --owner eva@example.com --password-file password.txt
`;

const options = {
  organization: { type: 'string' },
  owner: { type: 'string' },
  'password-file': { type: 'string' },
  timezone: { type: 'string' },
  'example-data': { type: 'boolean' },
} as const;

/** The key of the organization in seed files: `Grand Hotel` becomes `grand-hotel`. */
const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'organization';

const rejectExisting = async ({ storage }: BridgeServices, name: string, email: string): Promise<void> => {
  const organizations = await storage.writer
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('is_deleted', '=', 0)
    .execute();
  const existing = organizations.find(organization => keyOf(organization.name) === keyOf(name));
  if (existing !== undefined)
    throw new BridgeCommandError(
      `The organization ${existing.name} exists already (${existing.id}). Choose another name, or invite users with: lintel user invite --organization ${existing.id}`,
    );
  if ((await findUserByEmail(storage.writer, email)) !== undefined)
    throw new BridgeCommandError(
      `${email} has an account already. Choose another address, or create the organization in the console with this account`,
    );
};

const PIN_LENGTH = 6;

const twoPins = (): readonly [string, string] => {
  const pin = (): string => String(randomInt(10 ** (PIN_LENGTH - 1), 10 ** PIN_LENGTH));
  const first = pin();
  let second = pin();
  while (second === first) second = pin();
  return [first, second];
};

const createFrom = async (services: BridgeServices, { hasExampleData, ...answers }: InitAnswers) => {
  await rejectExisting(services, answers.name, answers.owner.email);
  const pins = twoPins();
  const content = {
    ...createOrganizationSeed({ ...answers, key: keyOf(answers.name) }),
    ...(hasExampleData ? createExampleSeed(pins, services.clock()) : {}),
  };
  const parsed = parseSeedFile(content);
  if (!parsed.ok)
    throw new BridgeCommandError(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  const { ids } = await seedOrganization(services, parsed.value);
  return {
    organization_id: ids[keyOf(answers.name)]!,
    owner_id: ids['owner']!,
    site_id: ids['site']!,
    pins: hasExampleData ? { 'Ann Example': pins[0], 'Ben Example': pins[1] } : {},
  };
};

type Created = Awaited<ReturnType<typeof createFrom>>;

const startCommand = ({ dataDir, isOfService }: BridgeLocation): string =>
  isOfService
    ? 'sudo systemctl start lintel-bridge'
    : `npx lintel bridge --data ${dataDir} --http-port 8080 --mqtt-port 1883`;

const nextSteps = (
  location: BridgeLocation,
  { name, owner }: InitAnswers,
  { organization_id, pins }: Created,
): string =>
  [
    `Created the organization ${name} (${organization_id}) with the owner ${owner.email}.`,
    ...Object.entries(pins).map(([member, pin]) => `PIN of ${member}: ${pin}`),
    '',
    'Next steps:',
    '1. Start the bridge, if it is not running:',
    `   ${startCommand(location)}`,
    `2. Open ${(findPublicUrl(location) ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')}/ and sign in as ${owner.email}.`,
    '',
  ].join('\n');

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, positionals, locate } = parseBridgeCommand(args, options);
  rejectExtraArguments(positionals, 0);
  const location = locate(streams);
  const { dataDir } = location;
  rejectForeignDataFolder(dataDir, 'bridge');
  const answers = await readInitAnswers(values, streams);
  return withBridgeData(location, 'new', async () => {
    const services = await openBridgeServices(location);
    try {
      const created = await createFrom(services, answers);
      streams.stdout.write(
        values.json === true ? `${JSON.stringify(created)}\n` : nextSteps(location, answers, created),
      );
      return 0;
    } finally {
      await services.close();
    }
  });
});
