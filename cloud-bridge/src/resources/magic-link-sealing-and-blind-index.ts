import type { DerivedKeys } from '../secrets/master-keys.ts';
import { computeBlindIndex } from '../secrets/sealing.ts';

/** Seal context: the token can be opened only for this link of this organization. */
export const buildMagicLinkSealContext = (organizationId: string, magicLinkId: string): string =>
  `${organizationId}/member_magic_link/${magicLinkId}`;

/** Independent of the organization, because a magic link does not contain it. */
export const computeMagicLinkBlindIndex = (keys: DerivedKeys, token: string): string =>
  computeBlindIndex(keys, 'magic_link', token);
