import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAIM_CODE_BYTES, claimCodeOf, plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import { makePageCertificate, type PageCertificate, readPageCertificate } from '@lintel/crypto/tls/page-certificate';
import { HOTSPOT_ADDRESS } from './network-connections.ts';

/** What the label says and the controller must know from its first moment on. Its own identity is made on the device. */
export interface MadeSecrets {
  readonly page: PageCertificate;
  /** `7K3M-0QXW-PT5H`. */
  readonly setupCode: string;
  readonly hotspotPassphrase: string;
}

type RandomBytes = (count: number) => Uint8Array;

const freshCode = (randomBytes: RandomBytes): string => claimCodeOf(randomBytes(CLAIM_CODE_BYTES));

const codeIn = (folder: string, name: string): string | null => {
  try {
    const text = readFileSync(join(folder, name), 'utf8').trim();
    return plainClaimCode(text) === null ? null : text;
  } catch {
    return null;
  }
};

/** Of a card that was prepared and has not been started: its label may be printed already. */
export const readSecrets = (folder: string): MadeSecrets | null => {
  const page = readPageCertificate(folder);
  const setupCode = codeIn(folder, 'setup-code');
  const hotspotPassphrase = codeIn(folder, 'hotspot-passphrase');
  return page === null || setupCode === null || hotspotPassphrase === null
    ? null
    : { page, setupCode, hotspotPassphrase };
};

export const makeSecrets = async (randomBytes: RandomBytes, hostname: string | null): Promise<MadeSecrets> => ({
  page: await makePageCertificate(name => [
    `${name}.local`,
    name,
    'localhost',
    HOTSPOT_ADDRESS,
    ...(hostname === null ? [] : [hostname, `${hostname}.local`]),
  ]),
  setupCode: freshCode(randomBytes),
  hotspotPassphrase: freshCode(randomBytes),
});
