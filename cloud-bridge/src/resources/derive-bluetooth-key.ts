import { createHash } from 'node:crypto';
import { encodeLengthPrefixed } from '@lintel/wire-protocol/encoding/length-prefixed';
import type { OrganizationSigningKey } from './organization-signing-keys.ts';

const DOMAIN = 'lintel bluetooth key 1';

/**
 * The key that phones and controllers of the organization share, in base64url. It is the hash of a signature, which is
 * always the same (RFC 8032) and only possible with the private key, so nothing needs to be stored.
 */
export const deriveBluetoothKey = ({ sign }: OrganizationSigningKey, organizationId: string): string => {
  const signature = sign(encodeLengthPrefixed([DOMAIN, organizationId]));
  return createHash('sha256').update(signature).digest('base64url');
};
