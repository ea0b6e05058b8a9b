import { instant } from '@lintel/access-core/instant';
import {
  activeAlertsResponseSchema,
  alertMessageResponseSchema,
  type AlertMessageResponse,
  type AlertResponse,
  createAlertRuleRequestSchema,
  editAlertRuleRequestSchema,
  alertRuleResponseSchema,
  type AlertRuleResponse,
  alertRuleWrittenResponseSchema,
} from '@lintel/wire-protocol/admin/alert-rules-and-alerts';
import type { Kysely } from 'kysely';
import { emptyBodySchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { createQuotaError, SharedQuota } from '../../http/shared-quota.ts';
import { type AlertContent, createTestAlertContent } from '../../alerts/format-alert-messages.ts';
import { composeAlertAddressMail } from '../../alerts/alert-address-mail.ts';
import { queueAlertMessages } from '../../alerts/raise-and-resolve-alerts.ts';
import { type EndpointCall, writeAsCaller } from '../../api/define-endpoint.ts';
import { createInvalidFieldError, createNotFoundError } from '../../http/api-error.ts';
import { selectMailLanguage } from '../../mail/mail-language.ts';
import {
  buildAlertAddressUrl,
  createAlertAddressLinks,
  findAddressesToAsk,
  splitByConfirmation,
} from '../../resources/alert-addresses.ts';
import {
  createAlertRule,
  deleteAlertRule,
  editAlertRule,
  type AlertRuleWithWebhookSecret,
} from '../../resources/alert-rules.ts';
import { requireAllowedWebhookUrl } from '../../resources/webhooks.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { ActiveAlertRow, AlertMessageRow, AlertRuleRow } from '../../storage/alert-schema.ts';
import type { Database } from '../../storage/schema.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { requireActiveRow } from '../../transactions/row-operations.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

type CheckedRule = AlertRuleRow & { readonly unconfirmed: readonly string[] };

const checkAddresses = (db: Kysely<Database>, rows: readonly AlertRuleRow[]): Promise<CheckedRule[]> =>
  Promise.all(
    rows.map(async row => {
      const emails = JSON.parse(row.emails) as string[];
      return { ...row, unconfirmed: (await splitByConfirmation(db, row.organization_id, emails)).unconfirmed };
    }),
  );

const toResponse = (row: CheckedRule): AlertRuleResponse => ({
  id: row.id as AlertRuleResponse['id'],
  organization_id: row.organization_id as AlertRuleResponse['organization_id'],
  name: row.name,
  kind: row.kind,
  minutes: row.minutes,
  count: row.count,
  site_id: row.site_id as AlertRuleResponse['site_id'],
  emails: JSON.parse(row.emails) as string[],
  unconfirmed_emails: [...row.unconfirmed],
  language: selectMailLanguage(row.language),
  webhook: row.webhook_format === null ? null : { format: row.webhook_format, host: row.webhook_host ?? '' },
  is_enabled: row.is_enabled === 1,
  created_at: toDateTime(instant(row.created_at)),
});

const toMessage = (row: AlertMessageRow): AlertMessageResponse => {
  const { event, kind, text, details = null } = JSON.parse(row.content) as AlertContent;
  return {
    id: row.id as AlertMessageResponse['id'],
    alert_rule_id: row.alert_rule_id as AlertMessageResponse['alert_rule_id'],
    event,
    channel: row.channel,
    email: row.email,
    kind,
    text,
    details,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    created_at: toDateTime(instant(row.created_at)),
    sent_at: toDateTimeOrNull(row.sent_at),
  };
};

type AlertSubject = Pick<AlertResponse, 'site_id' | 'gadget_id' | 'device_id' | 'details'>;

const toSubject = ({ details: json }: ActiveAlertRow): AlertSubject => {
  const { site_id, gadget_id, device_id, details } = JSON.parse(json) as AlertSubject;
  // Alerts of a bridge of the previous version have only a text.
  return { site_id, gadget_id, device_id, details: details ?? null };
};

/** Tests go to receivers that did not ask for them, so their number is limited. */
const ADDRESSES_OF_ORGANIZATION = { count: 50, periodMs: 86_400_000 };
/** Links to one address, of all organizations. */
const LINKS_OF_ADDRESS = { count: 5, periodMs: 86_400_000 };
const TESTS_OF_RULE = { count: 3, periodMs: 3_600_000 };

/** Rules that send a message when a door or a controller needs attention. */
export const createAlertEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  const { storage, clock, accountMailer, mailBudget, webhookAddresses } = services;
  const tests = new SharedQuota(storage, 'alert_test', TESTS_OF_RULE);
  const addresses = new SharedQuota(storage, 'alert_address/organization', ADDRESSES_OF_ORGANIZATION);
  const links = new SharedQuota(storage, 'alert_address/address', LINKS_OF_ADDRESS);
  const list = `${ORGANIZATION_PATH_PREFIX}/alert_rules`;
  const single = `${list}/:alert_rule_id`;
  const common = { tag: 'Alerts', response: alertRuleResponseSchema } as const;
  const rules = (db: Kysely<Database>, organizationId: string) =>
    db.selectFrom('alert_rules').selectAll().where('organization_id', '=', organizationId).where('is_deleted', '=', 0);
  const requireRule = async (db: Kysely<Database>, organizationId: string, id: string): Promise<AlertRuleRow> => {
    const row = await rules(db, organizationId).where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw createNotFoundError('alert_rule', id);
    return row;
  };
  const checkReceivers = (emails: readonly string[] = [], webhook?: { readonly url: string } | null): void => {
    if (emails.length > 0 && !accountMailer.isEnabled)
      throw createInvalidFieldError(
        'emails',
        'must be empty, because this bridge sends no email. Ask the operator to set --smtp-url',
      );
    if (webhook != null) requireAllowedWebhookUrl(webhookAddresses, webhook.url, 'webhook.url');
  };
  /** The addresses that get a link, for which there is still a quota. */
  const admitAddresses = async (organizationId: string, emails: readonly string[] = []): Promise<readonly string[]> => {
    const found = await findAddressesToAsk(storage.reader, organizationId, emails, clock());
    for (const email of found) {
      const own = await addresses.take(organizationId, clock());
      const waitMs = own.waitMs || (await links.take(email, clock())).waitMs;
      if (waitMs > 0)
        throw createQuotaError('alert_addresses', 'Too many new addresses of alert rules. Try again later', waitMs);
      await mailBudget.require('other', organizationId);
    }
    return found;
  };
  const write = async (
    call: Pick<EndpointCall, 'caller' | 'writer'>,
    emails: readonly string[] | undefined,
    work: (context: WriteContext) => Promise<AlertRuleWithWebhookSecret>,
  ) => {
    const { organizationId } = call.caller;
    const asked = await admitAddresses(organizationId, emails);
    const { row, webhookSecret, created } = await writeAsCaller(call, async context => ({
      ...(await work(context)),
      created: await createAlertAddressLinks(context, asked),
    }));
    const { name: organizationName } = await storage.reader
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
    for (const { email, token } of created) {
      const url = buildAlertAddressUrl(services.publicUrl, token);
      const mail = composeAlertAddressMail(email, { organizationName, url, language: row.language });
      accountMailer.sendInBackground(mail, 'Confirmation of an alert address');
    }
    const [checked] = await checkAddresses(storage.writer, [row]);
    return { ...toResponse(checked!), webhook_secret: webhookSecret };
  };
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'alerts.read',
      path: list,
      summary: 'List alert rules',
      name: 'alert_rules',
      read: async ({ organizationId }, page) =>
        checkAddresses(storage.reader, await fetchPageRows(rules(storage.reader, organizationId), 'id', page)),
      idOf: ({ id }) => id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'alerts.read',
      method: 'GET',
      path: single,
      summary: 'Get an alert rule',
      handle: async ({ db, caller, params: { alert_rule_id: id = '' } }) => {
        const row = await requireRule(db, caller.organizationId, id);
        return toResponse((await checkAddresses(db, [row]))[0]!);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'alerts.write',
      method: 'POST',
      path: list,
      summary: 'Create an alert rule',
      body: createAlertRuleRequestSchema,
      response: alertRuleWrittenResponseSchema,
      handle: async call => {
        checkReceivers(call.body.emails, call.body.webhook);
        return write(call, call.body.emails, context => createAlertRule(context, call.body));
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'alerts.write',
      method: 'PATCH',
      path: single,
      summary: 'Edit an alert rule',
      body: editAlertRuleRequestSchema,
      response: alertRuleWrittenResponseSchema,
      handle: async call => {
        const { alert_rule_id: id = '' } = call.params;
        checkReceivers(call.body.emails, call.body.webhook);
        return write(call, call.body.emails, context => editAlertRule(context, id, call.body));
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'alerts.write',
      method: 'DELETE',
      path: single,
      summary: 'Delete an alert rule',
      handle: async call => {
        const { alert_rule_id: id = '' } = call.params;
        const row = await writeAsCaller(call, context => deleteAlertRule(context, id));
        return toResponse((await checkAddresses(storage.reader, [row]))[0]!);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'alerts.write',
      method: 'POST',
      path: `${single}/test`,
      operationId: 'testAlertRule',
      summary: 'Send a test message to all confirmed receivers of an alert rule',
      body: emptyBodySchema,
      handle: async call => {
        const { alert_rule_id: id = '' } = call.params;
        await requireRule(storage.reader, call.caller.organizationId, id);
        const { waitMs } = await tests.take(`${call.caller.organizationId} ${id}`, clock());
        if (waitMs > 0)
          throw createQuotaError('test_messages', 'Too many test messages: a rule can send 3 in an hour', waitMs);
        const row = await writeAsCaller(call, async context => {
          const rule = await requireActiveRow(context, 'alert_rules', 'alert_rule', id);
          await queueAlertMessages(context, rule, createTestAlertContent(rule, context.now));
          return rule;
        });
        return toResponse((await checkAddresses(storage.reader, [row]))[0]!);
      },
    }),
    defineAdminListEndpoint({
      tag: 'Alerts',
      response: alertMessageResponseSchema,
      requiredPermission: 'alerts.read',
      path: `${ORGANIZATION_PATH_PREFIX}/alert_messages`,
      summary: 'List the messages of alert rules of the last 30 days',
      name: 'alert_messages',
      read: ({ organizationId }, page) =>
        fetchPageRows(
          storage.reader.selectFrom('alert_messages').selectAll().where('organization_id', '=', organizationId),
          'id',
          page,
        ),
      idOf: ({ id }) => id,
      toObject: toMessage,
    }),
    defineAdminEndpoint({
      tag: 'Alerts',
      response: activeAlertsResponseSchema,
      requiredPermission: 'alerts.read',
      method: 'GET',
      path: `${ORGANIZATION_PATH_PREFIX}/active_alerts`,
      operationId: 'getActiveAlerts',
      summary: 'List the alerts whose condition lasts',
      handle: async ({ caller }) => {
        const rows = await storage.reader
          .selectFrom('active_alerts as a')
          .innerJoin('alert_rules as r', 'r.id', 'a.alert_rule_id')
          .selectAll('a')
          .select('r.kind')
          .where('a.organization_id', '=', caller.organizationId)
          .orderBy('a.raised_at', 'desc')
          .execute();
        return {
          items: rows.map(row => ({
            alert_rule_id: row.alert_rule_id,
            kind: row.kind,
            text: row.text,
            since: toDateTime(instant(row.since)),
            raised_at: toDateTime(instant(row.raised_at)),
            ...toSubject(row),
          })),
        };
      },
    }),
  ];
};
