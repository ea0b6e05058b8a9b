import type { ApplicationCreate, ApplicationEdit } from '@lintel/wire-protocol/admin/application';
import { createApplication, type CreatedApplication } from '../accounts/applications.ts';
import { deauthorizeApplication } from './deauthorize-application.ts';
import { checkRedirectUri } from '../accounts/redirect-uris.ts';
import { ApiError } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { type Actor, system } from '../transactions/actor.ts';
import { requireLivingRow, requireRow, updateRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'oauth_application', oauth_application_id: id } });
};

/** The one that mints tokens for scripts is made by the bridge and stays. */
const requireOwn = (row: OAuthApplicationRow): void => {
  if (row.client_id === `cli-${row.organization_id}`) {
    throw new ApiError('forbidden', 'The built-in application cannot be changed');
  }
};

export const addApplication = async (
  context: WriteContext,
  { name, redirect_uris, is_public }: ApplicationCreate,
): Promise<CreatedApplication> => {
  const wanted = {
    organizationId: context.organizationId,
    name,
    redirectUris: redirect_uris,
    isPublic: is_public,
  };
  const created = await createApplication(context.db, wanted, { newId: context.newId, now: context.now });
  tellOf(context, 'create', created.application.id);
  return created;
};

export const editApplication = async (
  context: WriteContext,
  id: string,
  { name, redirect_uris }: ApplicationEdit,
): Promise<OAuthApplicationRow> => {
  const row = await requireLivingRow(context, 'oauth_applications', 'application', id);
  requireOwn(row);
  for (const [index, uri] of (redirect_uris ?? []).entries()) checkRedirectUri(uri, `redirect_uris.${index}`);
  const edited = await updateRow(context, 'oauth_applications', row, {
    ...(name === undefined ? {} : { name }),
    ...(redirect_uris === undefined ? {} : { redirect_uris: JSON.stringify(redirect_uris) }),
  });
  if (edited !== row) tellOf(context, 'edit', id);
  return edited;
};

const removeHere = async (context: WriteContext, id: string): Promise<OAuthApplicationRow> => {
  const row = await requireRow(context, 'oauth_applications', 'application', id);
  requireOwn(row);
  if (row.is_deleted === 1) return row;
  await deauthorizeApplication(context, id);
  const deleted = await updateRow(context, 'oauth_applications', row, { is_deleted: 1 });
  tellOf(context, 'delete', id);
  return deleted;
};

const organizationsUsing = async ({ storage }: Services, id: string): Promise<string[]> => {
  const grants = await storage.writer
    .selectFrom('oauth_grants')
    .select('organization_id')
    .where('oauth_application_id', '=', id)
    .execute();
  return grants.map(({ organization_id }) => organization_id);
};

/**
 * It ends in every organization that has authorized it, in each by a write of its own. Should the bridge stop half-way,
 * deleting it again goes on where it stopped; nobody can get tokens for it meanwhile.
 */
export const deleteApplication = async (
  services: Services,
  organizationId: string,
  actor: Actor,
  id: string,
): Promise<OAuthApplicationRow> => {
  const { writer } = services;
  const deleted = await writer.write(organizationId, actor, context => removeHere(context, id));
  for (const other of await organizationsUsing(services, id)) {
    await writer.write(other, system, context => deauthorizeApplication(context, id));
  }
  return deleted;
};
