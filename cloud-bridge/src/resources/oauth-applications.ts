import { requireObjectQuota } from './object-quota.ts';
import type {
  CreateOAuthApplicationRequest,
  EditOAuthApplicationRequest,
} from '@lintel/wire-protocol/admin/oauth-application';
import {
  cliClientId,
  insertOAuthApplication,
  type CreatedOAuthApplication,
} from '../accounts/insert-oauth-application.ts';
import { deauthorizeOAuthApplication } from './deauthorize-oauth-application.ts';
import { requireValidRedirectUri } from '../accounts/redirect-uris.ts';
import { hashClientSecret } from '../accounts/client-secrets.ts';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import { createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { type Actor, systemActor } from '../transactions/actor.ts';
import { requireActiveRow, requireRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const logApplicationEvent = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'oauth_application', oauth_application_id: id } });
};

/** The built-in application for script tokens cannot be changed. */
const requireNotBuiltIn = (row: OAuthApplicationRow): void => {
  if (row.organization_id !== null && row.client_id === cliClientId(row.organization_id)) {
    throw new ApiError('forbidden', 'The built-in application cannot be changed');
  }
};

export const createOAuthApplication = async (
  context: WriteContext,
  { name, redirect_uris, is_public }: CreateOAuthApplicationRequest,
): Promise<CreatedOAuthApplication> => {
  await requireObjectQuota(context, 'oauth_applications');
  const application = {
    organizationId: context.organizationId,
    name,
    redirectUris: redirect_uris,
    isPublic: is_public,
  };
  const { newId, now, keys } = context;
  const created = await insertOAuthApplication(context.db, application, { newId, now, keys });
  logApplicationEvent(context, 'create', created.application.id);
  return created;
};

export const editOAuthApplication = async (
  context: WriteContext,
  id: string,
  { name, redirect_uris }: EditOAuthApplicationRequest,
): Promise<OAuthApplicationRow> => {
  const row = await requireActiveRow(context, 'oauth_applications', 'application', id);
  requireNotBuiltIn(row);
  for (const [index, uri] of (redirect_uris ?? []).entries()) requireValidRedirectUri(uri, `redirect_uris.${index}`);
  const edited = await updateRow(context, 'oauth_applications', row, {
    ...(name === undefined ? {} : { name }),
    ...(redirect_uris === undefined ? {} : { redirect_uris: JSON.stringify(redirect_uris) }),
  });
  if (edited !== row) logApplicationEvent(context, 'edit', id);
  return edited;
};

/** The previous secret is invalid at once. Issued tokens stay valid. */
export const rotateOAuthApplicationSecret = async (
  context: WriteContext,
  id: string,
): Promise<CreatedOAuthApplication> => {
  const row = await requireActiveRow(context, 'oauth_applications', 'application', id);
  requireNotBuiltIn(row);
  if (row.is_public === 1)
    throw createInvalidFieldError('is_public', 'must be false: a public application has no secret');
  const clientSecret = createSecretToken('lcs_');
  const application = await updateRow(context, 'oauth_applications', row, {
    client_secret_hash: hashClientSecret(context.keys, id, clientSecret),
  });
  context.log({
    verb: 'edit',
    reason: 'secret_rotated',
    object: { type: 'oauth_application', oauth_application_id: id },
  });
  return { application, clientSecret };
};

const deleteInOrganization = async (context: WriteContext, id: string): Promise<OAuthApplicationRow> => {
  const row = await requireRow(context, 'oauth_applications', 'application', id);
  requireNotBuiltIn(row);
  if (row.is_deleted === 1) return row;
  await deauthorizeOAuthApplication(context, id);
  const deleted = await updateRow(context, 'oauth_applications', row, { is_deleted: 1 });
  logApplicationEvent(context, 'delete', id);
  return deleted;
};

const organizationsUsing = async ({ storage }: BridgeServices, id: string): Promise<string[]> => {
  const grants = await storage.writer
    .selectFrom('oauth_grants')
    .select('organization_id')
    .where('oauth_application_id', '=', id)
    .execute();
  return grants.map(({ organization_id }) => organization_id);
};

/**
 * De-authorizes the application in every organization, with one write per organization. If the bridge stops in between,
 * deleting again continues. A deleted application gets no tokens.
 */
export const deleteOAuthApplication = async (
  services: BridgeServices,
  organizationId: string,
  actor: Actor,
  id: string,
): Promise<OAuthApplicationRow> => {
  const { writer } = services;
  const deleted = await writer.write(organizationId, actor, context => deleteInOrganization(context, id));
  for (const other of await organizationsUsing(services, id)) {
    await writer.write(other, systemActor, context => deauthorizeOAuthApplication(context, id));
  }
  return deleted;
};
