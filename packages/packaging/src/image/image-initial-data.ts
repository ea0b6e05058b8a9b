import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { ControllerLabelData } from '../labels/label-data.ts';
import { toLabelData, createDeviceLabelSecrets } from '../sd-card/device-label-secrets.ts';
import { formatHotspotConnectionFile } from '../sd-card/network-connection-files.ts';
import { type SdCardClaimOptions, formatPendingClaimFile } from '../sd-card/claim-options.ts';

interface SeedSettings {
  readonly profile: Profile;
  readonly claim: SdCardClaimOptions | null;
  readonly hasLabel: boolean;
  readonly now: number;
}

/**
 * Writes the files that the data partition starts with. Without a label each card makes its own setup code at its first start and
 * shows it on its screen.
 */
export const writeImageInitialData = async (
  folder: string,
  settings: SeedSettings,
): Promise<ControllerLabelData | null> => {
  const { profile, claim, hasLabel, now } = settings;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), text, { mode: 0o600 });
  };
  mkdirSync(folder, { mode: 0o700 });
  if (claim !== null) write('lintel/identity/pending-claim.json', formatPendingClaimFile(claim, profile, now));
  if (!hasLabel) return null;
  const secrets = await createDeviceLabelSecrets(randomBytes, null, now);
  const label = toLabelData(secrets);
  write('lintel/identity/hardware-id', `${secrets.hardwareId}\n`);
  write('lintel/technician/setup-code', `${secrets.setupCode}\n`);
  write('lintel/technician/key.pem', secrets.page.key);
  write('lintel/technician/certificate.pem', secrets.page.certificate);
  const wifi = { ssid: label.hotspot.ssid, password: secrets.hotspotPassphrase };
  write('network/lintel-hotspot.nmconnection', formatHotspotConnectionFile(wifi, randomUUID()));
  return label;
};
