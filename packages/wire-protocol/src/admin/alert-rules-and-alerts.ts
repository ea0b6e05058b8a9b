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
  name: z.string(),
  fault: z.string().nullable(),
  message: z.string().nullable(),
  count: z.int().nullable(),
  minutes: z.int().nullable(),
  percent: z.number().nullable(),
  /** Of a new controller. Absent in messages of a bridge of the previous version. */
  site: z.string().nullish(),
  user: z.string().nullish(),
  waits: z.boolean().optional(),
});

/**
 * When to tell whom. The address of the webhook is a secret, so responses contain only its host.
 * `unconfirmed_emails` get no messages until their owners open the link that was mailed to them.
 */
export const alertRuleResponseSchema = tolerantObjectSchema({
  id: idSchema('alert_rule'),
  organization_id: idSchema('organization'),
  name: z.string(),
  kind: openEnumSchema(alertKinds),
  minutes: z.int(),
  count: z.int(),
  site_id: idSchema('site').nullable(),
  emails: z.array(z.string()),
  unconfirmed_emails: z.array(z.string()),
  language: openEnumSchema(messageLanguages),
  webhook: tolerantObjectSchema({ format: openEnumSchema(webhookFormats), host: z.string() }).nullable(),
  is_enabled: z.boolean(),
  created_at: dateTimeSchema,
});
export type AlertRuleResponse = z.infer<typeof alertRuleResponseSchema>;

/** `webhook_secret` signs the messages of a webhook with the format `json`. It is returned when the webhook is set. */
export const alertRuleWrittenResponseSchema = tolerantObjectSchema({
  ...alertRuleResponseSchema.shape,
  webhook_secret: z.string().nullable(),
});
export type AlertRuleWrittenResponse = z.infer<typeof alertRuleWrittenResponseSchema>;

/** A condition that lasts. The text is in the language of the rule. */
export const alertResponseSchema = tolerantObjectSchema({
  alert_rule_id: idSchema('alert_rule'),
  kind: openEnumSchema(alertKinds),
  text: z.string(),
  details: details.nullable(),
  since: dateTimeSchema,
  raised_at: dateTimeSchema,
  site_id: idSchema('site').nullable(),
  gadget_id: idSchema('gadget').nullable(),
  device_id: idSchema('device').nullable(),
});
export type AlertResponse = z.infer<typeof alertResponseSchema>;

/** All conditions that last, newest first. */
export const activeAlertsResponseSchema = tolerantObjectSchema({ items: z.array(alertResponseSchema) });
export type ActiveAlertsResponse = z.infer<typeof activeAlertsResponseSchema>;

/** A message to one receiver, and what became of it. */
export const alertMessageResponseSchema = tolerantObjectSchema({
  id: idSchema('alert_message'),
  alert_rule_id: idSchema('alert_rule'),
  event: openEnumSchema(['raised', 'resolved', 'test']),
  channel: openEnumSchema(['email', 'webhook']),
  email: z.string().nullable(),
  kind: openEnumSchema(alertKinds),
  text: z.string(),
  details: details.nullable(),
  status: openEnumSchema(['pending', 'sent', 'failed']),
  attempts: z.int(),
  error: z.string().nullable(),
  created_at: dateTimeSchema,
  sent_at: dateTimeSchema.nullable(),
});
export type AlertMessageResponse = z.infer<typeof alertMessageResponseSchema>;

const email = plainTextSchema(254, 3).refine(text => /^[^\s@]+@[^\s@]+$/.test(text), 'must be an email address');
const webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/, hostname: /^.+$/, error: 'must be an http or https address' }).max(2048),
  format: z.enum(webhookFormats),
});
const minutes = z.int().min(1).max(1440);
const count = z.int().min(1).max(1000);
const emails = z.array(email).max(20);

export const createAlertRuleRequestSchema = createPostBodySchema({
  name: nameTextSchema(1),
  kind: z.enum(alertKinds),
  minutes: minutes.default(5),
  count: count.default(5),
  site_id: idSchema('site').nullable().default(null),
  emails: emails.default([]),
  language: z.enum(messageLanguages).default('en'),
  webhook: webhook.nullable().default(null),
  is_enabled: z.boolean().default(true),
});
export type CreateAlertRuleRequest = z.infer<typeof createAlertRuleRequestSchema>;

export const editAlertRuleRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  minutes: minutes.optional(),
  count: count.optional(),
  site_id: idSchema('site').nullable().optional(),
  emails: emails.optional(),
  language: z.enum(messageLanguages).optional(),
  webhook: webhook.nullable().optional(),
  is_enabled: z.boolean().optional(),
});
export type EditAlertRuleRequest = z.infer<typeof editAlertRuleRequestSchema>;
