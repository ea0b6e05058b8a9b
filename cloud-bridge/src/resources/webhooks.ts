import { requireObjectQuota } from './object-quota.ts';
import type { CreateWebhookRequest, EditWebhookRequest } from '@lintel/wire-protocol/rest/webhook';
import type { WebhookAddressGuard } from '../http/webhook-address-guard.ts';
import { createInvalidFieldError, createNotFoundError } from '../http/api-error.ts';
import { sealSecret } from '../secrets/sealing.ts';
import { createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { WebhookRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { findRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Seal context: the secret can be opened only for this webhook of this organization. */
export const buildWebhookSecretSealContext = (organizationId: string, webhookId: string): string =>
  `${organizationId}/webhook/${webhookId}`;

const webhooks = new ResourceWriter('webhook', 'webhooks', { isSynced: false });

/** Throws 404 for all applications except the one that created the webhook. */
const requireOwnWebhook = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> => {
  const row = await findRow(context, 'webhooks', id);
  if (row === undefined || row.oauth_application_id !== applicationId) throw createNotFoundError('webhook', id);
  return row;
};

/** Throws 400 for a URL with a private address, so that the mistake shows before the first event. */
export const requireAllowedWebhookUrl = (addresses: WebhookAddressGuard, url: string, field = 'url'): void => {
  if (addresses.isUrlAllowed(url)) return;
  const { host } = new URL(url);
  const message = `must have a public address. ${host} is not public. Ask the operator to allow it, or use another one`;
  throw createInvalidFieldError(field, message);
};

/** Ends the pause of a receiver that failed as a whole, because the caller expects it to work now. */
export const resumeWebhookReceiver = async ({ db }: WriteContext, webhookId: string): Promise<void> => {
  await db
    .updateTable('webhook_lanes')
    .set({ failed_deliveries: '[]', backoffs: 0, resume_at: 0 })
    .where('webhook_id', '=', webhookId)
    .execute();
};

/** Only this response contains the secret. */
export const createWebhook = async (
  context: WriteContext,
  applicationId: string,
  body: CreateWebhookRequest,
): Promise<WebhookRow & { readonly secret: string }> => {
  await requireObjectQuota(context, 'webhooks');
  const id = context.newId('webhook');
  const secret = createSecretToken('whs_');
  const row = await webhooks.create(context, body, {
    id,
    oauth_application_id: applicationId,
    url: body.url,
    filter: JSON.stringify(body.filter),
    expand: JSON.stringify(body.expand),
    is_enabled: body.is_enabled ? 1 : 0,
    failing_since: null,
    sealed_secret: sealSecret(context.keys, secret, buildWebhookSecretSealContext(context.organizationId, id)),
  });
  return { ...row, secret };
};

export const editWebhook = async (
  context: WriteContext,
  applicationId: string,
  id: string,
  body: EditWebhookRequest,
): Promise<WebhookRow> => {
  const row = await requireOwnWebhook(context, applicationId, id);
  if (row.is_deleted === 1) throw createNotFoundError('webhook', id);
  const { url, filter, expand, is_enabled } = body;
  if (url !== undefined || is_enabled === true) await resumeWebhookReceiver(context, id);
  return webhooks.edit(context, row, body, {
    url,
    filter: filter && JSON.stringify(filter),
    expand: expand && JSON.stringify(expand),
    is_enabled: is_enabled === undefined ? undefined : is_enabled ? 1 : 0,
  });
};

export const deleteWebhook = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> =>
  webhooks.deleteRow(context, await requireOwnWebhook(context, applicationId, id));
