import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const MAX_CODE_LENGTH = 64;
const MAX_EMAIL_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 1024;

/** Creates the first account and its organization. `code` is the code that the bridge printed at its start. */
export const firstRunRequestSchema = z.strictObject({
  code: plainTextSchema(MAX_CODE_LENGTH),
  email: plainTextSchema(MAX_EMAIL_LENGTH, 1),
  password: z.string().max(MAX_PASSWORD_LENGTH),
  organization_name: nameTextSchema(1),
  /** Of the person, for the log. */
  name: nameTextSchema().default(''),
});
export type FirstRunRequest = z.output<typeof firstRunRequestSchema>;

export const firstRunResponseSchema = tolerantObjectSchema({ organization_id: idSchema('organization') });
export type FirstRunResponse = z.infer<typeof firstRunResponseSchema>;
