import { mustBe } from '@lintel/access-core/problem-texts';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { parseExpand } from './parse-expand-parameter.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';
import { webhookFilterRuleSchema, webhookFilterSchema } from './webhook-filter.ts';

const URL_TEXT =
  'http or https address that receives a POST for each event: public, without user name and password, at most 2048 characters. HTTPS is recommended';
const FILTER = 'Rules of the events to send. An event matches if one rule matches. Empty: no events';
const EXPAND = 'Expands of each event that is sent, such as subject_member. At most 100';
const IS_ENABLED = 'Whether events are sent. Events that happen while false are not sent later';

export const webhookResponseSchema = tolerantObjectSchema({
  id: idSchema('webhook'),
  organization_id: idSchema('organization'),
  url: z.string().describe(URL_TEXT),
  filter: z.array(webhookFilterRuleSchema).describe(FILTER),
  expand: z.array(z.string()).describe(EXPAND),
  is_enabled: z.boolean().describe(IS_ENABLED),
  failing_since: dateTimeSchema
    .nullable()
    .describe(
      'Time of the first failed attempt, ISO 8601 in UTC. Set when no event was accepted for a day, null after the next success',
    ),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe('Sends events to a URL. Only the application that created it can see it');
export type WebhookResponse = z.infer<typeof webhookResponseSchema>;

export const webhookCreatedResponseSchema = tolerantObjectSchema({
  ...webhookResponseSchema.shape,
  secret: z
    .string()
    .describe(
      'Key of the signatures of deliveries. Shown once: store it. For a new one, delete the webhook and create it again',
    ),
}).describe('A new webhook with its secret');
export type WebhookCreatedResponse = z.infer<typeof webhookCreatedResponseSchema>;

/** Deliveries are signed. A password in the URL would appear in delivery logs and in the logs of proxies. */
const hasNoCredentials = (text: string): boolean => {
  const { username, password } = new URL(text);
  return username === '' && password === '';
};

const url = z
  .url({ protocol: /^https?$/, hostname: /^.+$/, error: 'must be an http or https address', abort: true })
  .max(2048)
  .refine(hasNoCredentials, 'must not contain a user name or password. Verify the signature of deliveries instead');

const parseEventExpand = (value: unknown, path: string): Result<string> => {
  if (typeof value !== 'string' || value === '' || value.includes(',')) {
    return failed([createProblem(path, 'invalid_expand', mustBe('the name of one expand'))]);
  }
  const parsed = parseExpand('event', value);
  return parsed.ok ? ok(value) : failed(parsed.problems.map(found => ({ ...found, path })));
};

const expand = z.array(schemaFromParser(z.string(), parseEventExpand)).max(100);

export const createWebhookRequestSchema = createPostBodySchema({
  url: url.describe(URL_TEXT),
  filter: webhookFilterSchema.default([]).describe(FILTER),
  expand: expand.default([]).describe(EXPAND),
  is_enabled: z.boolean().default(true).describe(IS_ENABLED),
  metadata: metadataCreateSchema,
});
export type CreateWebhookRequest = z.infer<typeof createWebhookRequestSchema>;

export const editWebhookRequestSchema = z.strictObject({
  url: url.optional().describe(URL_TEXT),
  filter: webhookFilterSchema.optional().describe(FILTER),
  expand: expand.optional().describe(EXPAND),
  is_enabled: z.boolean().optional().describe(IS_ENABLED),
  metadata: metadataPatchSchema.optional(),
});
export type EditWebhookRequest = z.infer<typeof editWebhookRequestSchema>;
