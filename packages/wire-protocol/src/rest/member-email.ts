import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './member-credential.ts';
import { metadataCreate } from './metadata.ts';

export const memberEmailResponse = tolerantObject({
  id: idSchema('member_email'),
  ...memberCredentialFields,
  email: z.string(),
});
export type MemberEmailResponse = z.infer<typeof memberEmailResponse>;

export const memberEmailCreate = createObject({ email: z.email().max(254), metadata: metadataCreate });
export type MemberEmailCreate = z.infer<typeof memberEmailCreate>;
