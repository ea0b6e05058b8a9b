import * as z from 'zod';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Error types of the API with their HTTP status. */
export const apiErrorTypes = {
  invalid_request: 400,
  unauthorized: 401,
  legacy_api_key_disabled: 401,
  forbidden: 403,
  permission_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  edit_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  hardware_offline: 503,
  unavailable: 503,
  insufficient_storage: 503,
} as const;

export type ApiErrorType = keyof typeof apiErrorTypes;

export const errorResponseSchema = tolerantObjectSchema({
  type: openEnumSchema(Object.keys(apiErrorTypes) as ApiErrorType[]).describe('Kind of error. Decide by it'),
  message: z.string().describe('What is wrong, for people'),
  args: z
    .record(z.string(), z.string())
    .describe('Values of the message by name, such as the path of the invalid field in field. Can be empty'),
}).describe('The body of every response other than 2xx');
export type ErrorResponse = z.infer<typeof errorResponseSchema>;
