import { toPinDigits, PIN_MAX_LENGTH, PIN_MIN_LENGTH, type PinDigits } from '@lintel/access-core/pin-digits';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createExactlyOneFieldCheck, describeExactlyOneField } from './field-choice-checks.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';
import { metadataCreateSchema } from './metadata-and-tags.ts';

export const memberPinResponseSchema = tolerantObjectSchema({
  id: idSchema('member_pin'),
  ...memberCredentialFields,
  length: z.int().describe('Number of digits'),
}).describe('A PIN of a member. The digits are in the response of its creation and of reveal');
export type MemberPinResponse = z.infer<typeof memberPinResponseSchema>;

export const memberPinRevealedResponseSchema = tolerantObjectSchema({
  ...memberPinResponseSchema.shape,
  pin: z.string().describe('The digits of the PIN. Give them to the member only'),
}).describe('A PIN with its digits');
export type MemberPinRevealedResponse = z.infer<typeof memberPinRevealedResponseSchema>;

const parsePin = (value: unknown, path: string): Result<PinDigits> => {
  const digits = typeof value === 'string' ? toPinDigits(value) : null;
  const message = `must be a string of ${PIN_MIN_LENGTH} to ${PIN_MAX_LENGTH} digits`;
  return digits === null ? failed([createProblem(path, 'invalid_pin', message)]) : ok(digits);
};

export const createMemberPinRequestSchema = createPostBodySchema({
  length: z
    .int()
    .min(PIN_MIN_LENGTH)
    .max(PIN_MAX_LENGTH)
    .optional()
    .describe('Number of digits of a random PIN, 4 to 20. Exactly one of length and pin'),
  pin: schemaFromParser(z.string().regex(/^[0-9]{4,20}$/), parsePin)
    .optional()
    .describe('Digits of a chosen PIN, 4 to 20, unique in the organization. Exactly one of length and pin'),
  metadata: metadataCreateSchema,
})
  .check(createExactlyOneFieldCheck('length', 'pin'))
  .meta(describeExactlyOneField('length', 'pin'));
export type CreateMemberPinRequest = z.infer<typeof createMemberPinRequestSchema>;
