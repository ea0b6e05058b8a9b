import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HardwareId, parseId } from '@lintel/access-core/ids';
import { createPageCertificate, type PageCertificate, readPageCertificate } from '@lintel/crypto/tls/page-certificate';
import { createHardwareId } from '@lintel/device-link/identity/hardware-id';
import { CLAIM_CODE_BYTES, formatClaimCode, normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import type { ControllerLabelData } from '../labels/label-data.ts';
import { HOTSPOT_ADDRESS } from './network-connections.ts';

/** Printed on the label and known to the controller from its first start. The device makes its own keys later. */
export interface DeviceSecrets {
  readonly hardwareId: HardwareId;
  readonly page: PageCertificate;
  /** `7K3M-0QXW-PT5H`. */
  readonly setupCode: string;
  readonly hotspotPassphrase: string;
}

type RandomBytes = (count: number) => Uint8Array;

const TECHNICIAN_PORT = 8443;

const codeIn = (folder: string, name: string): string | null => {
  try {
    const text = readFileSync(join(folder, name), 'utf8').trim();
    return normalizeClaimCode(text) === null ? null : text;
  } catch {
    return null;
  }
};

const hardwareIdIn = (folder: string): HardwareId | null => {
  try {
    const parsed = parseId('hardware', readFileSync(join(folder, 'hardware-id'), 'utf8').trim());
    return parsed.ok ? parsed.value : null;
  } catch {
    return null;
  }
};

/** Reads the secrets of a card that is prepared but has not been started, whose label may already be printed. */
export const readDeviceSecrets = (folder: string): DeviceSecrets | null => {
  const hardwareId = hardwareIdIn(folder);
  const page = readPageCertificate(folder);
  const setupCode = codeIn(folder, 'setup-code');
  const hotspotPassphrase = codeIn(folder, 'hotspot-passphrase');
  return hardwareId === null || page === null || setupCode === null || hotspotPassphrase === null
    ? null
    : { hardwareId, page, setupCode, hotspotPassphrase };
};

export const createDeviceSecrets = async (
  randomBytes: RandomBytes,
  hostname: string | null,
  now: number,
): Promise<DeviceSecrets> => ({
  hardwareId: createHardwareId(now, randomBytes),
  page: await createPageCertificate(name => [
    `${name}.local`,
    name,
    'localhost',
    HOTSPOT_ADDRESS,
    ...(hostname === null ? [] : [hostname, `${hostname}.local`]),
  ]),
  setupCode: formatClaimCode(randomBytes(CLAIM_CODE_BYTES)),
  hotspotPassphrase: formatClaimCode(randomBytes(CLAIM_CODE_BYTES)),
});

export const toLabelData = ({
  hardwareId,
  page,
  setupCode,
  hotspotPassphrase: passphrase,
}: DeviceSecrets): ControllerLabelData => ({
  hardwareId,
  name: page.name,
  port: TECHNICIAN_PORT,
  setupCode,
  fingerprint: page.fingerprint,
  hotspot: { ssid: page.name.replace(/^l/, 'L'), passphrase, address: HOTSPOT_ADDRESS },
});
