import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { parseExpand } from './parse-expand-parameter.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';
import { webhookFilterSchema } from './webhook-filter.ts';

export const webhookResponseSchema = tolerantObjectSchema({
  id: idSchema('webhook'),
  organization_id: idSchema('organization'),
  url: z.string(),
  filter: z.array(z.record(z.string(), z.string().nullable())),
  expand: z.array(z.string()),
  is_enabled: z.boolean(),
  /** Time of the first failed attempt; set when no event was accepted for a day, null after the next success. */
  failing_since: dateTimeSchema.nullable(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});
export type WebhookResponse = z.infer<typeof webhookResponseSchema>;

export const webhookCreatedResponseSchema = tolerantObjectSchema({
  ...webhookResponseSchema.shape,
  secret: z.string(),
});
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
    return failed([createProblem(path, 'invalid_expand', 'must be the name of one expand')]);
  }
  const parsed = parseExpand('event', value);
  return parsed.ok ? ok(value) : failed(parsed.problems.map(found => ({ ...found, path })));
};

const expand = z.array(schemaFromParser(z.string(), parseEventExpand)).max(100);

export const createWebhookRequestSchema = createPostBodySchema({
  url,
  filter: webhookFilterSchema.default([]),
  expand: expand.default([]),
  is_enabled: z.boolean().default(true),
  metadata: metadataCreateSchema,
});
export type CreateWebhookRequest = z.infer<typeof createWebhookRequestSchema>;

export const editWebhookRequestSchema = z.strictObject({
  url: url.optional(),
  filter: webhookFilterSchema.optional(),
  expand: expand.optional(),
  is_enabled: z.boolean().optional(),
  metadata: metadataPatchSchema.optional(),
});
export type EditWebhookRequest = z.infer<typeof editWebhookRequestSchema>;
