import type { DerivedKeys } from '../secrets/master-key.ts';
import { blind } from '../secrets/sealing.ts';

/** What a link's token is sealed under: it opens only as this link of this organization. */
export const magicLinkContext = (organizationId: string, magicLinkId: string): string =>
  `${organizationId}/member_magic_link/${magicLinkId}`;

/** Whoever opens a link says no organization: one blind for all of them. */
export const blindMagicLink = (keys: DerivedKeys, token: string): string => blind(keys, 'magic_link', token);

export const magicLinkAddress = (publicUrl: string, token: string): string => `${publicUrl}/g/${token}`;
