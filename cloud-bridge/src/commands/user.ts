import { instant } from '@lintel/access-core/instant';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { requireOption } from '@lintel/service/command-line/command-arguments';
import { createOrganizationUserRequestSchema } from '@lintel/wire-protocol/admin/organization-user';
import { roles } from '@lintel/wire-protocol/admin/role';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { createPasswordReset, buildPasswordResetUrl } from '../accounts/password-resets.ts';
import { isRole } from '../accounts/role-permissions.ts';
import { findUserByEmail } from '../accounts/users.ts';
import { ApiError, unwrapOrThrow } from '../http/api-error.ts';
import { requireOrganizationExists } from '../resources/organization.ts';
import { selectOrganizationUsers } from '../resources/organization-users.ts';
import { buildInvitationUrl, inviteOrganizationUser } from '../resources/user-invitations.ts';
import { systemActor } from '../transactions/actor.ts';
import { type OperatorCall, defineOperatorCommand } from './define-operator-command.ts';

const usage = `lintel user list|invite|reset-password --data DIR [--database URL] [OPTIONS] [--json]

Manages the users who administer organizations. Works while the bridge is running or stopped.

  list [--organization ID]   list users, or the users and invited users of an organization
  invite --organization ID --email ADDRESS --role ROLE [--name NAME] [--site ID]…
                             print an invitation link, valid for 7 days; ROLE is owner, administrator,
                             front_desk, viewer or technician, --site a site of a technician
  reset-password --email ADDRESS
                             print a link to choose a new password, valid for one hour

Links work once. Hand them over only to the user.

  --public-url URL   address of the bridge in the link (default: that of the bridge)

  npx lintel user reset-password --email eva@example.com --data .lintel/bridge
`;

const isoTime = (at: number): string => toDateTime(instant(at));

const listAll = async ({ services, print }: OperatorCall): Promise<void> => {
  const rows = await services.storage.reader
    .selectFrom('users')
    .select(['id', 'email', 'name', 'verified_at'])
    .where('is_deleted', '=', 0)
    .orderBy('email')
    .execute();
  const users = rows.map(({ verified_at, ...user }) => ({ ...user, is_verified: verified_at !== null }));
  const lines = users.map(
    ({ id, email, is_verified }) => `${id}\t${email}\t${is_verified ? 'verified' : 'unverified'}`,
  );
  print({ users }, lines.join('\n'));
};

const listOrganization = async ({ services, print }: OperatorCall, organizationId: string): Promise<void> => {
  await requireOrganizationExists(services.storage.reader, organizationId);
  const rows = await selectOrganizationUsers(services.storage.reader, organizationId).orderBy('email').execute();
  const users = rows.map(({ user_id, email, name, role, verified_at }) => ({
    id: user_id,
    email,
    name,
    role,
    status: verified_at === null ? 'invited' : 'active',
  }));
  print({ users }, users.map(({ id, email, role, status }) => [id, email, role, status].join('\t')).join('\n'));
};

const invite = async ({ services, values, publicUrl, print }: OperatorCall): Promise<void> => {
  const organizationId = requireOption(values.organization, 'organization');
  const email = requireOption(values.email, 'email');
  const role = requireOption(values.role, 'role');
  if (!isRole(role)) throw new UsageError(`--role must be one of ${roles.join(', ')}`);
  await requireOrganizationExists(services.storage.reader, organizationId);
  const body = unwrapOrThrow(
    parseRequestBody(createOrganizationUserRequestSchema, {
      email,
      role,
      site_ids: values.site ?? [],
      name: values.name ?? '',
    }),
  );
  const address = publicUrl();
  const { user, token } = await services.writer.write(organizationId, systemActor, context =>
    inviteOrganizationUser(context, 'owner', body),
  );
  const url = buildInvitationUrl(address, token);
  const expires_at = isoTime(user.invitation_expires_at ?? 0);
  print({ user_id: user.user_id, email: user.email, invitation_url: url, expires_at }, url);
};

const resetPassword = async ({ services, values, publicUrl, print }: OperatorCall): Promise<void> => {
  const email = requireOption(values.email, 'email');
  const { storage, clock } = services;
  const user = await findUserByEmail(storage.writer, email);
  if (user === undefined) throw new ApiError('not_found', `No user has the email address ${email}`);
  const address = publicUrl();
  const { token, expiresAt } = await createPasswordReset(storage.writer, user.id, clock());
  const url = buildPasswordResetUrl(address, token);
  print({ user_id: user.id, email: user.email, reset_url: url, expires_at: isoTime(expiresAt) }, url);
};

export const command = defineOperatorCommand(usage, {
  list: {
    options: ['organization'],
    run: call => {
      const { organization } = call.values;
      return organization === undefined ? listAll(call) : listOrganization(call, organization);
    },
  },
  invite: { options: ['organization', 'email', 'role', 'name', 'site', 'public-url'], run: invite },
  'reset-password': { options: ['email', 'public-url'], run: resetPassword },
});
