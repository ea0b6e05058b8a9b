import type { WebhookCreate, WebhookEdit } from '@lintel/wire-protocol/rest/webhook';
import { notFoundError } from '../http/api-error.ts';
import { seal } from '../secrets/sealing.ts';
import { newToken } from '../secrets/tokens.ts';
import type { WebhookRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { findRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Seal context: the secret can be opened only for this webhook of this organization. */
export const webhookSecretSealContext = (organizationId: string, webhookId: string): string =>
  `${organizationId}/webhook/${webhookId}`;

const webhooks = new ResourceWriter('webhook', 'webhooks', { isSynced: false });

/** Throws 404 for all applications except the one that created the webhook. */
const requireOwnWebhook = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> => {
  const row = await findRow(context, 'webhooks', id);
  if (row === undefined || row.oauth_application_id !== applicationId) throw notFoundError('webhook', id);
  return row;
};

/** Only this response contains the secret. */
export const createWebhook = async (
  context: WriteContext,
  applicationId: string,
  body: WebhookCreate,
): Promise<WebhookRow & { readonly secret: string }> => {
  const id = context.newId('webhook');
  const secret = newToken('whs_');
  const row = await webhooks.create(context, body, {
    id,
    oauth_application_id: applicationId,
    url: body.url,
    filter: JSON.stringify(body.filter),
    expand: JSON.stringify(body.expand),
    is_enabled: body.is_enabled ? 1 : 0,
    sealed_secret: seal(context.keys, secret, webhookSecretSealContext(context.organizationId, id)),
  });
  return { ...row, secret };
};

export const editWebhook = async (
  context: WriteContext,
  applicationId: string,
  id: string,
  body: WebhookEdit,
): Promise<WebhookRow> => {
  const row = await requireOwnWebhook(context, applicationId, id);
  if (row.is_deleted === 1) throw notFoundError('webhook', id);
  const { url, filter, expand, is_enabled } = body;
  return webhooks.edit(context, row, body, {
    url,
    filter: filter && JSON.stringify(filter),
    expand: expand && JSON.stringify(expand),
    is_enabled: is_enabled === undefined ? undefined : is_enabled ? 1 : 0,
  });
};

export const deleteWebhook = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> =>
  webhooks.deleteRow(context, await requireOwnWebhook(context, applicationId, id));
