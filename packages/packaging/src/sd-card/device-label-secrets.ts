import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HardwareId, parseId } from '@lintel/access-core/ids';
import {
  createTechnicianPageCertificate,
  type TechnicianPageCertificate,
  readTechnicianPageCertificate,
} from '@lintel/crypto/tls/technician-page-certificate';
import { createRandomHardwareId } from '@lintel/device-link/identity/hardware-id';
import {
  CLAIM_CODE_RANDOM_BYTES,
  formatClaimCode,
  normalizeClaimCode,
} from '@lintel/wire-protocol/claiming/claim-code';
import type { ControllerLabelData } from '../labels/label-data.ts';
import { HOTSPOT_ADDRESS } from './network-connection-files.ts';

/** Printed on the label and known to the controller from its first start. The device makes its own keys later. */
export interface DeviceLabelSecrets {
  readonly hardwareId: HardwareId;
  readonly page: TechnicianPageCertificate;
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
export const readDeviceLabelSecrets = (folder: string): DeviceLabelSecrets | null => {
  const hardwareId = hardwareIdIn(folder);
  const page = readTechnicianPageCertificate(folder);
  const setupCode = codeIn(folder, 'setup-code');
  const hotspotPassphrase = codeIn(folder, 'hotspot-passphrase');
  return hardwareId === null || page === null || setupCode === null || hotspotPassphrase === null
    ? null
    : { hardwareId, page, setupCode, hotspotPassphrase };
};

export const createDeviceLabelSecrets = async (
  randomBytes: RandomBytes,
  hostname: string | null,
  now: number,
): Promise<DeviceLabelSecrets> => ({
  hardwareId: createRandomHardwareId(now, randomBytes),
  page: await createTechnicianPageCertificate(name => [
    `${name}.local`,
    name,
    'localhost',
    HOTSPOT_ADDRESS,
    ...(hostname === null ? [] : [hostname, `${hostname}.local`]),
  ]),
  setupCode: formatClaimCode(randomBytes(CLAIM_CODE_RANDOM_BYTES)),
  hotspotPassphrase: formatClaimCode(randomBytes(CLAIM_CODE_RANDOM_BYTES)),
});

export const toLabelData = ({
  hardwareId,
  page,
  setupCode,
  hotspotPassphrase: passphrase,
}: DeviceLabelSecrets): ControllerLabelData => ({
  hardwareId,
  name: page.name,
  port: TECHNICIAN_PORT,
  setupCode,
  fingerprint: page.fingerprint,
  hotspot: { ssid: page.name.replace(/^l/, 'L'), passphrase, address: HOTSPOT_ADDRESS },
});
