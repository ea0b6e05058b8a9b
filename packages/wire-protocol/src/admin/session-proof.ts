import * as z from 'zod';
import { userResponseSchema } from '../rest/user.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The options of `navigator.credentials.get` as JSON text; null if the user has no passkey or the bridge offers none. */
export const sessionProofOptionsResponseSchema = tolerantObjectSchema({
  passkey_options: z
    .string()
    .nullable()
    .describe(
      'Options of navigator.credentials.get as JSON text. Null if the user has no passkey or the bridge offers none',
    ),
}).describe('How the user can prove to be present');
export type SessionProofOptionsResponse = z.infer<typeof sessionProofOptionsResponseSchema>;

/** One of both. */
export const sessionProofRequestSchema = z.strictObject({
  password: z.string().max(1024).optional().describe('Password of the user. Either password or passkey'),
  passkey: z
    .string()
    .max(16_384)
    .optional()
    .describe('The answer of navigator.credentials.get as JSON text. Either password or passkey'),
});
export type SessionProofRequest = z.infer<typeof sessionProofRequestSchema>;

export const sessionProofResponseSchema = tolerantObjectSchema({
  user: userResponseSchema.describe('The signed-in user'),
}).describe('A session that was proved again');
