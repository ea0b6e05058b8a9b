import type { DerivedKeys } from '../secrets/master-keys.ts';
import { blindIndex } from '../secrets/sealing.ts';

/** Seal context: the token can be opened only for this link of this organization. */
export const magicLinkSealContext = (organizationId: string, magicLinkId: string): string =>
  `${organizationId}/member_magic_link/${magicLinkId}`;

/** Independent of the organization, because a magic link does not contain it. */
export const magicLinkBlindIndex = (keys: DerivedKeys, token: string): string => blindIndex(keys, 'magic_link', token);
