import { isDeepStrictEqual } from 'node:util';
import {
  type ActiveAlertCondition,
  type AlertRule,
  computeAlertChanges,
  evaluateAlertRule,
} from '@lintel/access-core/alerts/alert-conditions';
import type { AlertKind } from '@lintel/access-core/alerts/alert-kinds';
import { type AlertDetails, describeAlert } from '@lintel/access-core/alerts/describe-alert';
import { MINUTE_MS } from '@lintel/access-core/durations';
import { selectMailLanguage } from '../mail/mail-language.ts';
import { splitByConfirmation } from '../resources/alert-addresses.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { ActiveAlertRow, AlertRuleRow } from '../storage/alert-schema.ts';
import { systemActor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { AlertContent } from './format-alert-messages.ts';
import { alertMessageTextsByLanguage } from './alert-message-texts.ts';
import { loadStateForAlertRules } from './load-state-for-alert-rules.ts';

const toRule = ({ kind, minutes, count, site_id }: AlertRuleRow): AlertRule => ({
  kind: kind as AlertKind,
  minutes,
  count,
  siteId: site_id,
});

/** Further messages of an organization are dropped while so many wait. */
const MOST_WAITING_MESSAGES = 1000;

const countWaiting = async ({ db, organizationId }: WriteContext): Promise<number> => {
  const { count } = await db
    .selectFrom('alert_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return count;
};

/** One message to each receiver of the rule, except addresses that are not confirmed. */
export const queueAlertMessages = async (
  context: WriteContext,
  rule: AlertRuleRow,
  content: AlertContent,
): Promise<void> => {
  const message = {
    organization_id: context.organizationId,
    alert_rule_id: rule.id,
    content: JSON.stringify(content),
    status: 'pending',
    attempts: 0,
    created_at: context.now,
    next_attempt_at: context.now,
    sent_at: null,
    error: null,
    is_test: content.event === 'test' ? 1 : 0,
  } as const;
  let waiting = await countWaiting(context);
  const insert = (channel: 'email' | 'webhook', email: string | null) =>
    waiting++ < MOST_WAITING_MESSAGES
      ? insertRow(context, 'alert_messages', { ...message, id: context.newId('alert_message'), channel, email })
      : null;
  const emails = JSON.parse(rule.emails) as string[];
  const { confirmed } = await splitByConfirmation(context.db, context.organizationId, emails);
  for (const email of confirmed) await insert('email', email);
  if (rule.webhook_format !== null) await insert('webhook', null);
};

interface AlertSubject {
  readonly site_id: string;
  readonly gadget_id: string | null;
  readonly device_id: string | null;
  readonly details: AlertDetails;
}

const raise = async (context: WriteContext, rule: AlertRuleRow, condition: ActiveAlertCondition): Promise<void> => {
  const { subjectId, siteId, gadgetId, deviceId, details, since } = condition;
  const subject: AlertSubject = { site_id: siteId, gadget_id: gadgetId, device_id: deviceId, details };
  const { name: rule_name, kind } = rule;
  const language = selectMailLanguage(rule.language);
  const text = describeAlert(alertMessageTextsByLanguage[language].alerts, kind as AlertKind, details);
  await insertRow(context, 'active_alerts', {
    alert_rule_id: rule.id,
    subject_id: subjectId,
    organization_id: context.organizationId,
    text,
    since,
    raised_at: context.now,
    details: JSON.stringify(subject),
  });
  const times = { since: new Date(since).toISOString(), at: new Date(context.now).toISOString() };
  await queueAlertMessages(context, rule, { event: 'raised', rule_name, kind, language, text, ...subject, ...times });
};

const resolve = async (context: WriteContext, rule: AlertRuleRow, alert: ActiveAlertRow): Promise<void> => {
  await context.db
    .deleteFrom('active_alerts')
    .where('alert_rule_id', '=', rule.id)
    .where('subject_id', '=', alert.subject_id)
    .execute();
  await queueAlertMessages(context, rule, {
    event: 'resolved',
    rule_name: rule.name,
    kind: rule.kind,
    language: selectMailLanguage(rule.language),
    text: alert.text,
    ...(JSON.parse(alert.details) as AlertSubject),
    since: new Date(alert.since).toISOString(),
    at: new Date(context.now).toISOString(),
  });
};

const activeAlertsOf = (db: WriteContext['db'], ruleId: string): Promise<ActiveAlertRow[]> =>
  db.selectFrom('active_alerts').selectAll().where('alert_rule_id', '=', ruleId).execute();

/** False if the rule was edited, disabled or deleted since it was read. The next evaluation uses what it is now. */
const isUnchanged = async ({ db }: WriteContext, rule: AlertRuleRow): Promise<boolean> => {
  const current = await db.selectFrom('alert_rules').selectAll().where('id', '=', rule.id).executeTakeFirst();
  return isDeepStrictEqual(current, rule);
};

/**
 * Reads the rule and its active alerts again under the organization's lock, so that only one of several bridges reports a
 * change, and none for a rule that no longer exists.
 */
const applyChanges = async (
  context: WriteContext,
  rule: AlertRuleRow,
  holding: readonly ActiveAlertCondition[],
): Promise<void> => {
  if (!(await isUnchanged(context, rule))) return;
  const active = await activeAlertsOf(context.db, rule.id);
  const { raised, resolved } = computeAlertChanges(
    active.map(({ subject_id }) => subject_id),
    holding,
  );
  for (const condition of raised) await raise(context, rule, condition);
  for (const alert of active) if (resolved.includes(alert.subject_id)) await resolve(context, rule, alert);
};

type AlertServices = Pick<BridgeServices, 'storage' | 'clock'> & {
  readonly writer: Pick<BridgeServices['writer'], 'write'>;
};

const evaluateOrganization = async (
  { storage, writer, clock }: AlertServices,
  organizationId: string,
  rules: readonly AlertRuleRow[],
): Promise<void> => {
  const now = clock();
  const periods = rules.filter(({ kind }) => kind === 'many_denials').map(({ minutes }) => minutes * MINUTE_MS);
  const denialsAfter = periods.length === 0 ? null : now - Math.max(...periods);
  const watchesMembers = rules.some(({ kind }) => kind === 'all_doors_access');
  const state = await loadStateForAlertRules(storage.reader, organizationId, { denialsAfter, watchesMembers }, now);
  for (const rule of rules) {
    const holding = evaluateAlertRule(toRule(rule), state, now);
    const active = (await activeAlertsOf(storage.reader, rule.id)).map(({ subject_id }) => subject_id);
    const { raised, resolved } = computeAlertChanges(active, holding);
    if (raised.length + resolved.length === 0) continue;
    await writer.write(organizationId, systemActor, context => applyChanges(context, rule, holding));
  }
};

/** Raises alerts whose condition holds, and resolves those whose condition has ended. Called periodically. */
export const raiseAndResolveAlerts = async (services: AlertServices): Promise<void> => {
  const rules = await services.storage.reader
    .selectFrom('alert_rules')
    .selectAll()
    .where('is_enabled', '=', 1)
    .where('is_deleted', '=', 0)
    .execute();
  for (const [organizationId, ofOrganization] of Map.groupBy(rules, rule => rule.organization_id))
    await evaluateOrganization(services, organizationId, ofOrganization);
};
