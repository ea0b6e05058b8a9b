import { alertKinds } from '@lintel/access-core/alerts/alert-kinds';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const webhookFormats = ['slack', 'json'] as const;
const messageLanguages = ['en', 'de', 'es'] as const;

/** What happened, without a language. `fault` is the code of a device fault, `message` what the device reports about it. */
const details = tolerantObjectSchema({
  name: z.string().describe('Name of what the alert is about'),
  fault: z.string().nullable().describe('Code of the device fault. Null for other alerts'),
  message: z.string().nullable().describe('What the device reports about the fault. Null for other alerts'),
  count: z.int().nullable().describe('Number of what happened. Null for other alerts'),
  minutes: z.int().nullable().describe('Minutes that it has lasted or within which it happened. Null for other alerts'),
  percent: z.number().nullable().describe('Charge of the battery in percent. Null for other alerts'),
  site: z.string().nullish().describe('Name of the site of a new controller. Null or absent for other alerts'),
  user: z.string().nullish().describe('Who claimed a new controller. Null or absent for other alerts'),
  waits: z.boolean().optional().describe('Whether a new controller waits for a confirmation. Absent for other alerts'),
}).describe('What an alert is about, without a language');

/**
 * When to tell whom. The address of the webhook is a secret, so responses contain only its host.
 * `unconfirmed_emails` get no messages until their owners open the link that was mailed to them.
 */
export const alertRuleResponseSchema = tolerantObjectSchema({
  id: idSchema('alert_rule'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the rule'),
  kind: openEnumSchema(alertKinds).describe('What the rule watches'),
  minutes: z.int().describe('Minutes that the condition lasts, or within which occurrences are counted'),
  count: z.int().describe('Number of occurrences that raise the alert, for kinds that count'),
  site_id: idSchema('site').nullable().describe('Only this site. Null: every site'),
  emails: z.array(z.string()).describe('Email addresses that get messages'),
  unconfirmed_emails: z
    .array(z.string())
    .describe('Email addresses that get no messages until their owners open the link that was mailed to them'),
  language: openEnumSchema(messageLanguages).describe('Language of the messages'),
  webhook: tolerantObjectSchema({
    format: openEnumSchema(webhookFormats).describe('slack: a Slack message. json: a signed JSON message'),
    host: z.string().describe('Host of the address. The rest of the address is secret'),
  })
    .nullable()
    .describe('Webhook that gets messages. Null: none'),
  is_enabled: z.boolean().describe('Whether the rule raises alerts'),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
}).describe('Which condition raises an alert, and who gets a message');
export type AlertRuleResponse = z.infer<typeof alertRuleResponseSchema>;

/** `webhook_secret` signs the messages of a webhook with the format `json`. It is returned when the webhook is set. */
export const alertRuleWrittenResponseSchema = tolerantObjectSchema({
  ...alertRuleResponseSchema.shape,
  webhook_secret: z
    .string()
    .nullable()
    .describe('Key of the signatures of a webhook with the format json. Shown when the webhook is set, null otherwise'),
}).describe('An alert rule after a write');
export type AlertRuleWrittenResponse = z.infer<typeof alertRuleWrittenResponseSchema>;

/** A condition that lasts. The text is in the language of the rule. */
export const alertResponseSchema = tolerantObjectSchema({
  alert_rule_id: idSchema('alert_rule'),
  kind: openEnumSchema(alertKinds).describe('What the rule of the alert watches'),
  text: z.string().describe('The alert in words, in the language of the rule'),
  details: details.nullable().describe('What happened, without a language. Null if not known'),
  since: dateTimeSchema.describe('When the condition began, ISO 8601 in UTC'),
  raised_at: dateTimeSchema.describe('When the alert was raised, ISO 8601 in UTC'),
  site_id: idSchema('site').nullable().describe('Id of the site. Null if the alert is about none'),
  gadget_id: idSchema('gadget').nullable().describe('Id of the gadget. Null if the alert is about none'),
  device_id: idSchema('device').nullable().describe('Id of the device. Null if the alert is about none'),
}).describe('A condition that lasts');
export type AlertResponse = z.infer<typeof alertResponseSchema>;

/** All conditions that last, newest first. */
export const activeAlertsResponseSchema = tolerantObjectSchema({
  items: z.array(alertResponseSchema).describe('Conditions that last, newest first'),
}).describe('All conditions that last');
export type ActiveAlertsResponse = z.infer<typeof activeAlertsResponseSchema>;

/** A message to one receiver, and what became of it. */
export const alertMessageResponseSchema = tolerantObjectSchema({
  id: idSchema('alert_message'),
  alert_rule_id: idSchema('alert_rule'),
  event: openEnumSchema(['raised', 'resolved', 'test']).describe(
    'Why the message was sent: the alert began, ended, or the rule was tested',
  ),
  channel: openEnumSchema(['email', 'webhook']).describe('How the message is sent'),
  email: z.string().nullable().describe('Receiver of an email. Null for a webhook'),
  kind: openEnumSchema(alertKinds).describe('What the rule of the message watches'),
  text: z.string().describe('The alert in words, in the language of the rule'),
  details: details.nullable().describe('What happened, without a language. Null if not known'),
  status: openEnumSchema(['pending', 'sent', 'failed']).describe(
    'pending: attempts follow. sent: the receiver accepted it. failed: attempts ended',
  ),
  attempts: z.int().describe('Number of attempts'),
  error: z.string().nullable().describe('Why the last attempt failed. Null if it did not fail'),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
  sent_at: dateTimeSchema.nullable().describe('When the message was sent, ISO 8601 in UTC. Null if it was not'),
}).describe('A message of an alert rule to one receiver');
export type AlertMessageResponse = z.infer<typeof alertMessageResponseSchema>;

const email = plainTextSchema(254, 3).refine(text => /^[^\s@]+@[^\s@]+$/.test(text), 'must be an email address');
const webhook = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, hostname: /^.+$/, error: 'must be an http or https address' })
    .max(2048)
    .describe('http or https address of the webhook, at most 2048 characters. Responses contain only its host'),
  format: z.enum(webhookFormats).describe('slack: a Slack message. json: a signed JSON message'),
});
const minutes = z.int().min(1).max(1440);
const count = z.int().min(1).max(1000);
const emails = z.array(email).max(20);

export const createAlertRuleRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the rule, 1 to 200 characters'),
  kind: z.enum(alertKinds).describe('What the rule watches'),
  minutes: minutes
    .default(5)
    .describe('Minutes that the condition lasts, or within which occurrences are counted: 1 to 1440'),
  count: count.default(5).describe('Number of occurrences that raise the alert, 1 to 1000, for kinds that count'),
  site_id: idSchema('site').nullable().default(null).describe('Only this site. Null: every site'),
  emails: emails
    .default([])
    .describe('Email addresses that get messages, at most 20. Each confirms by the link that is mailed to it'),
  language: z.enum(messageLanguages).default('en').describe('Language of the messages'),
  webhook: webhook.nullable().default(null).describe('Webhook that gets messages. Null: none'),
  is_enabled: z.boolean().default(true).describe('Whether the rule raises alerts'),
});
export type CreateAlertRuleRequest = z.infer<typeof createAlertRuleRequestSchema>;

export const editAlertRuleRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the rule, 1 to 200 characters'),
  minutes: minutes
    .optional()
    .describe('Minutes that the condition lasts, or within which occurrences are counted: 1 to 1440'),
  count: count.optional().describe('Number of occurrences that raise the alert, 1 to 1000, for kinds that count'),
  site_id: idSchema('site').nullable().optional().describe('Only this site. Null: every site'),
  emails: emails
    .optional()
    .describe('Email addresses that get messages, at most 20. Each confirms by the link that is mailed to it'),
  language: z.enum(messageLanguages).optional().describe('Language of the messages'),
  webhook: webhook.nullable().optional().describe('Webhook that gets messages. Null: none'),
  is_enabled: z.boolean().optional().describe('Whether the rule raises alerts'),
});
export type EditAlertRuleRequest = z.infer<typeof editAlertRuleRequestSchema>;
