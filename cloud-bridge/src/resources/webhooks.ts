import type { WebhookCreate, WebhookEdit } from '@lintel/wire-protocol/rest/webhook';
import { notFound } from '../http/api-error.ts';
import { seal } from '../secrets/sealing.ts';
import { newToken } from '../secrets/token-hash.ts';
import type { WebhookRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import { findRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

/** What a webhook's secret is sealed under: it opens only as this webhook's of this organization. */
export const webhookSecretContext = (organizationId: string, webhookId: string): string =>
  `${organizationId}/webhook/${webhookId}`;

const webhooks = new Resource('webhook', 'webhooks', { isSynced: false });

/** For everyone but the application that made it, it does not exist. */
const requireOwn = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> => {
  const row = await findRow(context, 'webhooks', id);
  if (row === undefined || row.oauth_application_id !== applicationId) throw notFound('webhook', id);
  return row;
};

/** The secret is in this answer and never again. */
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
    sealed_secret: seal(context.keys, secret, webhookSecretContext(context.organizationId, id)),
  });
  return { ...row, secret };
};

export const editWebhook = async (
  context: WriteContext,
  applicationId: string,
  id: string,
  body: WebhookEdit,
): Promise<WebhookRow> => {
  const row = await requireOwn(context, applicationId, id);
  if (row.is_deleted === 1) throw notFound('webhook', id);
  const { url, filter, expand, is_enabled } = body;
  return webhooks.edit(context, row, body, {
    url,
    filter: filter && JSON.stringify(filter),
    expand: expand && JSON.stringify(expand),
    is_enabled: is_enabled === undefined ? undefined : is_enabled ? 1 : 0,
  });
};

export const deleteWebhook = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> =>
  webhooks.remove(context, await requireOwn(context, applicationId, id));
