import * as z from 'zod';
import { userResponseSchema } from '../rest/user.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The options of `navigator.credentials.get` as JSON text; null if the user has no passkey or the bridge offers none. */
export const sessionProofOptionsResponseSchema = tolerantObjectSchema({ passkey_options: z.string().nullable() });
export type SessionProofOptionsResponse = z.infer<typeof sessionProofOptionsResponseSchema>;

/** One of both. */
export const sessionProofRequestSchema = z.strictObject({
  password: z.string().max(1024).optional(),
  /** The answer of the browser as JSON text. */
  passkey: z.string().max(16_384).optional(),
});
export type SessionProofRequest = z.infer<typeof sessionProofRequestSchema>;

export const sessionProofResponseSchema = tolerantObjectSchema({ user: userResponseSchema });
