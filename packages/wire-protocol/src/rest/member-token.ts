import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { ofMember } from './member-credential.ts';

export const memberTokenAnswer = tolerantObject({ id: idOf('member_token'), ...ofMember });
export type MemberTokenAnswer = z.infer<typeof memberTokenAnswer>;

export const memberTokenRevealed = tolerantObject({ ...memberTokenAnswer.shape, token: z.string() });
export type MemberTokenRevealed = z.infer<typeof memberTokenRevealed>;
