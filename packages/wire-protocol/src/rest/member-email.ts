import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { ofMember } from './member-credential.ts';
import { metadataCreate } from './metadata.ts';

export const memberEmailAnswer = tolerantObject({ id: idOf('member_email'), ...ofMember, email: z.string() });
export type MemberEmailAnswer = z.infer<typeof memberEmailAnswer>;

export const memberEmailCreate = z.strictObject({ email: z.email().max(254), metadata: metadataCreate });
export type MemberEmailCreate = z.infer<typeof memberEmailCreate>;
