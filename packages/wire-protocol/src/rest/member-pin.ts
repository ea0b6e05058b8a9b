import { toPinDigits, PIN_MAX_LENGTH, PIN_MIN_LENGTH, type PinDigits } from '@lintel/access-core/pin-digits';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createBodySchema } from '../schema-parts/create-body-schema.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { requireExactlyOneField } from './field-choice.ts';
import { memberCredentialFields } from './member-credential.ts';
import { metadataCreateSchema } from './metadata.ts';

export const memberPinResponse = tolerantObjectSchema({
  id: idSchema('member_pin'),
  ...memberCredentialFields,
  length: z.int(),
});
export type MemberPinResponse = z.infer<typeof memberPinResponse>;

export const memberPinRevealedResponse = tolerantObjectSchema({ ...memberPinResponse.shape, pin: z.string() });
export type MemberPinRevealedResponse = z.infer<typeof memberPinRevealedResponse>;

const parsePin = (value: unknown, path: string): Result<PinDigits> => {
  const digits = typeof value === 'string' ? toPinDigits(value) : null;
  const message = `must be a string of ${PIN_MIN_LENGTH} to ${PIN_MAX_LENGTH} digits`;
  return digits === null ? failed([createProblem(path, 'invalid_pin', message)]) : ok(digits);
};

export const createMemberPinRequest = createBodySchema({
  length: z.int().min(PIN_MIN_LENGTH).max(PIN_MAX_LENGTH).optional(),
  pin: schemaFromParser(z.string().regex(/^[0-9]{4,20}$/), parsePin).optional(),
  metadata: metadataCreateSchema,
}).check(requireExactlyOneField('length', 'pin'));
export type CreateMemberPinRequest = z.infer<typeof createMemberPinRequest>;
