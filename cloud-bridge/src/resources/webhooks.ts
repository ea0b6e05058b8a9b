import type { WebhookCreate, WebhookEdit } from '@lintel/wire-protocol/rest/webhook';
import { notFound } from '../http/api-error.ts';
import { seal } from '../secrets/sealing.ts';
import { newToken } from '../secrets/token-hash.ts';
import type { WebhookRow } from '../storage/schema.ts';
import { findRow, insertRow, mergedMetadata, updateRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';

/** What a webhook's secret is sealed under: it opens only as this webhook's of this organization. */
export const webhookSecretContext = (organizationId: string, webhookId: string): string =>
  `${organizationId}/webhook/${webhookId}`;

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void =>
  context.log({ verb, object: { type: 'webhook', webhook_id: id } });

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
  const row = await insertRow(context, 'webhooks', {
    id,
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(body.metadata),
    oauth_application_id: applicationId,
    url: body.url,
    filter: JSON.stringify(body.filter),
    expand: JSON.stringify(body.expand),
    is_enabled: body.is_enabled ? 1 : 0,
    sealed_secret: seal(context.keys, secret, webhookSecretContext(context.organizationId, id)),
  });
  tellOf(context, 'create', id);
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
  const changes: Partial<WebhookRow> = {};
  if (body.url !== undefined) changes.url = body.url;
  if (body.filter !== undefined) changes.filter = JSON.stringify(body.filter);
  if (body.expand !== undefined) changes.expand = JSON.stringify(body.expand);
  if (body.is_enabled !== undefined) changes.is_enabled = body.is_enabled ? 1 : 0;
  if (body.metadata !== undefined) changes.metadata = mergedMetadata(row.metadata, body.metadata);
  const edited = await updateRow(context, 'webhooks', row, changes);
  if (edited !== row) tellOf(context, 'edit', id);
  return edited;
};

export const deleteWebhook = async (context: WriteContext, applicationId: string, id: string): Promise<WebhookRow> => {
  const row = await requireOwn(context, applicationId, id);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, 'webhooks', row, { is_deleted: 1 });
  tellOf(context, 'delete', id);
  return deleted;
};
