import { requireObjectQuota } from './object-quota.ts';
import type { CreateAlertRuleRequest, EditAlertRuleRequest } from '@lintel/wire-protocol/admin/alert-rules-and-alerts';
import type { MasterKeys } from '../secrets/master-keys.ts';
import { sealSecret, unsealSecret } from '../secrets/sealing.ts';
import { createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { AlertRuleRow } from '../storage/alert-schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { insertRow, requireActiveRow, requireReferencedRow, updateRow } from '../transactions/row-operations.ts';

export const buildAlertWebhookSealContext = (organizationId: string, id: string): string =>
  `${organizationId}/alert_rule/${id}`;

interface AlertWebhook {
  readonly url: string;
  readonly secret: string;
}

/** Null without a webhook. */
export const unsealAlertWebhook = (
  masterKeys: MasterKeys,
  { id, organization_id, webhook_format, sealed_webhook }: AlertRuleRow,
): AlertWebhook | null =>
  webhook_format === null
    ? null
    : (JSON.parse(
        unsealSecret(masterKeys, sealed_webhook, buildAlertWebhookSealContext(organization_id, id)),
      ) as AlertWebhook);

type WebhookBody = CreateAlertRuleRequest['webhook'];

const sealWebhook = ({ keys, organizationId }: WriteContext, id: string, webhook: WebhookBody) => {
  const secret = createSecretToken('whs_');
  const content = webhook === null ? '' : JSON.stringify({ url: webhook.url, secret } satisfies AlertWebhook);
  return {
    columns: {
      webhook_format: webhook?.format ?? null,
      webhook_host: webhook === null ? null : new URL(webhook.url).host,
      sealed_webhook: sealSecret(keys, content, buildAlertWebhookSealContext(organizationId, id)),
    },
    // Chat services verify no signature.
    secret: webhook?.format === 'json' ? secret : null,
  };
};

const logRuleEvent = (
  context: WriteContext,
  reason: 'alert_rule_created' | 'alert_rule_edited' | 'alert_rule_deleted',
) =>
  context.log({
    verb: 'edit',
    reason,
    object: { type: 'organization', organization_id: context.organizationId },
  });

export interface AlertRuleWithWebhookSecret {
  readonly row: AlertRuleRow;
  /** Signs the messages of the webhook; null if the webhook did not change or verifies no signature. */
  readonly webhookSecret: string | null;
}

export const createAlertRule = async (
  context: WriteContext,
  body: CreateAlertRuleRequest,
): Promise<AlertRuleWithWebhookSecret> => {
  await requireObjectQuota(context, 'alert_rules');
  const { name, kind, minutes, count, site_id, emails, language, webhook, is_enabled } = body;
  if (site_id !== null) await requireReferencedRow(context, 'sites', 'site_id', site_id);
  const id = context.newId('alert_rule');
  const { columns, secret } = sealWebhook(context, id, webhook);
  const row = await insertRow(context, 'alert_rules', {
    id,
    organization_id: context.organizationId,
    name,
    kind,
    minutes,
    count,
    site_id,
    emails: JSON.stringify(emails),
    language,
    ...columns,
    is_enabled: is_enabled ? 1 : 0,
    is_deleted: 0,
    created_at: context.now,
  });
  logRuleEvent(context, 'alert_rule_created');
  return { row, webhookSecret: secret };
};

/** Without a message: the conditions may still last. */
const forgetAlerts = async ({ db }: WriteContext, ruleId: string): Promise<void> => {
  await db.deleteFrom('active_alerts').where('alert_rule_id', '=', ruleId).execute();
};

export const editAlertRule = async (
  context: WriteContext,
  id: string,
  body: EditAlertRuleRequest,
): Promise<AlertRuleWithWebhookSecret> => {
  const row = await requireActiveRow(context, 'alert_rules', 'alert_rule', id);
  const { name, minutes, count, site_id, emails, language, webhook, is_enabled } = body;
  if (site_id != null) await requireReferencedRow(context, 'sites', 'site_id', site_id);
  const sealed = webhook === undefined ? null : sealWebhook(context, id, webhook);
  const edited = await updateRow(context, 'alert_rules', row, {
    name,
    minutes,
    count,
    site_id,
    emails: emails && JSON.stringify(emails),
    language,
    ...sealed?.columns,
    is_enabled: is_enabled === undefined ? undefined : is_enabled ? 1 : 0,
  });
  if (edited !== row) logRuleEvent(context, 'alert_rule_edited');
  if (edited.is_enabled === 0) await forgetAlerts(context, id);
  return { row: edited, webhookSecret: sealed?.secret ?? null };
};

export const deleteAlertRule = async (context: WriteContext, id: string): Promise<AlertRuleRow> => {
  const row = await requireActiveRow(context, 'alert_rules', 'alert_rule', id);
  await forgetAlerts(context, id);
  await context.db.deleteFrom('alert_messages').where('alert_rule_id', '=', id).execute();
  logRuleEvent(context, 'alert_rule_deleted');
  return updateRow(context, 'alert_rules', row, { is_deleted: 1 });
};

/** The address of a webhook cannot be opened without its key. Other receivers stay. */
export const removeAllAlertWebhooksAfterKeyLoss = async (context: WriteContext): Promise<void> => {
  const { db, organizationId } = context;
  const rows = await db.selectFrom('alert_rules').select('id').where('organization_id', '=', organizationId).execute();
  for (const { id } of rows) {
    const { columns } = sealWebhook(context, id, null);
    await db.updateTable('alert_rules').set(columns).where('id', '=', id).execute();
  }
};
