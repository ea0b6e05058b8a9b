import { requireOption } from '@lintel/service/command-line/command-arguments';
import { createOrganizationRequestSchema } from '@lintel/wire-protocol/admin/organization';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { parseEmail } from '../accounts/users.ts';
import { unwrapOrThrow } from '../http/api-error.ts';
import { createOrganization, requireOrganizationExists, setWhitelabel } from '../resources/organization.ts';
import { UNLIMITED_RETENTION_DAYS } from '../storage/retention-policy.ts';
import { writeRetentionSettings } from '../retention/retention-settings.ts';
import { buildInvitationUrl, inviteOrganizationUser } from '../resources/user-invitations.ts';
import { systemActor } from '../transactions/actor.ts';
import { type OperatorCall, defineOperatorCommand } from './define-operator-command.ts';
import { deleteOrganizationSubcommand } from './organization-deletion.ts';
import { exportOrganizationSubcommand, importOrganizationSubcommand } from './organization-export-and-import.ts';
import { parseRetentionDays } from './retention-option.ts';

const usage = `lintel organization list|create|grant-whitelabel|revoke-whitelabel|retention|export|import|delete --data DIR [--database URL] [OPTIONS] [--json]

Manages organizations. Works while the bridge is running or stopped.

  list                    list the organizations
  create --name NAME [--owner ADDRESS] [--whitelabel]
                          create an organization; with --owner also print an invitation link for its owner
  grant-whitelabel ID     permit the organization to operate gadgets through the API without a member
  revoke-whitelabel ID    withdraw the permission
  retention ID [--events T] [--deliveries T]
                          show or set how long events and delivery logs of webhooks are kept: a number of days such as
                          365d, forever, or default for the options of the bridge; owners may choose a shorter time
  export ID --out FILE [--with-events]
                          write an encrypted file with all data of the organization, to move it to another bridge;
                          with --with-events also its events and the delivery logs of webhooks
  import FILE             add an exported organization to this bridge. DIR may be a new folder
  delete ID [--yes] [--force]
                          delete the organization with all its data, and the accounts of users who belong to no other
                          one; asks for its name without --yes. --force also if controllers are claimed, whose doors
                          keep opening with the access data that they have

  --passphrase-file FILE  of export and import: file with the passphrase, 12 characters or more (default:
                          LINTEL_PASSPHRASE, or asked for)
  --public-url URL        address of the bridge in the link (default: that of the bridge)

  npx lintel organization create --name "Grand Hotel" --owner eva@example.com --data .lintel/bridge
`;

const list = async ({ services, print }: OperatorCall): Promise<void> => {
  const rows = await services.storage.reader
    .selectFrom('organizations')
    .select(['id', 'name', 'whitelabel'])
    .where('is_deleted', '=', 0)
    .orderBy('name')
    .orderBy('id')
    .execute();
  const organizations = rows.map(({ whitelabel, ...organization }) => ({
    ...organization,
    whitelabel: whitelabel === 1,
  }));
  const lines = organizations.map(({ id, name, whitelabel }) => `${id}\t${name}${whitelabel ? '\twhitelabel' : ''}`);
  print({ organizations }, lines.join('\n'));
};

const create = async ({ services, values, publicUrl, print }: OperatorCall): Promise<void> => {
  const body = unwrapOrThrow(
    parseRequestBody(createOrganizationRequestSchema, { name: requireOption(values.name, 'name') }),
  );
  // Checked first, because the organization and the invitation are written separately.
  const email = values.owner === undefined ? null : parseEmail(values.owner);
  const address = email === null ? null : publicUrl();
  const { id } = await createOrganization(services, systemActor, null, body);
  const token = await services.writer.write(id, systemActor, async context => {
    if (values.whitelabel === true) await setWhitelabel(context, true);
    if (email === null) return null;
    return (await inviteOrganizationUser(context, 'owner', { email, role: 'owner', site_ids: [] })).token;
  });
  const url = token === null || address === null ? null : buildInvitationUrl(address, token);
  print({ organization_id: id, invitation_url: url }, url === null ? id : `${id}\t${url}`);
};

const whitelabelVerb = (isGranted: boolean) => ({
  options: [],
  run: async ({ services, argument, print }: OperatorCall): Promise<void> => {
    const id = requireOption(argument, 'ID');
    await requireOrganizationExists(services.storage.reader, id);
    await services.writer.write(id, systemActor, context => setWhitelabel(context, isGranted));
    print(
      { organization_id: id, whitelabel: isGranted },
      `Whitelabel ${isGranted ? 'granted to' : 'revoked from'} ${id}`,
    );
  },
});

const parseLimit = (text: string | undefined, option: string): number | null | undefined => {
  if (text === undefined || text === 'default') return text === undefined ? undefined : null;
  return parseRetentionDays(text, option) ?? UNLIMITED_RETENTION_DAYS;
};

const describeLimit = (days: number | null): string => {
  if (days === null) return 'default';
  return days === UNLIMITED_RETENTION_DAYS ? 'forever' : `${days}d`;
};

const retention = async ({ services, values, argument, print }: OperatorCall): Promise<void> => {
  const id = requireOption(argument, 'ID');
  const event_limit_days = parseLimit(values.events, 'events');
  const delivery_limit_days = parseLimit(values.deliveries, 'deliveries');
  await requireOrganizationExists(services.storage.reader, id);
  const row = await services.writer.write(id, systemActor, context =>
    writeRetentionSettings(context, systemActor, {
      ...(event_limit_days === undefined ? {} : { event_limit_days }),
      ...(delivery_limit_days === undefined ? {} : { delivery_limit_days }),
    }),
  );
  const limits = { events: describeLimit(row.event_limit_days), deliveries: describeLimit(row.delivery_limit_days) };
  const chosen = { events: row.event_days, deliveries: row.delivery_days };
  const lines = (['events', 'deliveries'] as const).map(
    name => `${name}\t${limits[name]}${chosen[name] === null ? '' : `\tthe owner has chosen ${chosen[name]}d`}`,
  );
  print({ organization_id: id, limits, chosen_days: chosen }, lines.join('\n'));
};

export const command = defineOperatorCommand(usage, {
  list: { options: [], run: list },
  create: { options: ['name', 'owner', 'whitelabel', 'public-url'], run: create },
  'grant-whitelabel': whitelabelVerb(true),
  'revoke-whitelabel': whitelabelVerb(false),
  retention: { options: ['events', 'deliveries'], run: retention },
  export: exportOrganizationSubcommand,
  import: importOrganizationSubcommand,
  delete: deleteOrganizationSubcommand,
});
