import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { ofMember } from './member-credential.ts';

export const memberMagicLinkAnswer = tolerantObject({ id: idOf('member_magic_link'), ...ofMember });
export type MemberMagicLinkAnswer = z.infer<typeof memberMagicLinkAnswer>;

export const memberMagicLinkRevealed = tolerantObject({ ...memberMagicLinkAnswer.shape, link: z.url() });
export type MemberMagicLinkRevealed = z.infer<typeof memberMagicLinkRevealed>;
