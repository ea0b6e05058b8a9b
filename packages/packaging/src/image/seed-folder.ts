import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { LabelFacts } from '../labels/label-facts.ts';
import { type MadeSecrets, makeSecrets } from '../sd-card/made-secrets.ts';
import { HOTSPOT_ADDRESS, hotspotConnection } from '../sd-card/network-connections.ts';
import { type ClaimOrder, queuedClaim } from '../sd-card/queued-claim.ts';

const PAGE_PORT = 8443;

const labelOf = ({ page, setupCode, hotspotPassphrase: passphrase }: MadeSecrets): LabelFacts => ({
  name: page.name,
  port: PAGE_PORT,
  setupCode,
  fingerprint: page.fingerprint,
  hotspot: { ssid: page.name.replace(/^l/, 'L'), passphrase, address: HOTSPOT_ADDRESS },
});

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, path), text, { mode: 0o600 });
};

export interface SeedOrder {
  readonly profile: Profile;
  readonly claim: ClaimOrder | null;
  readonly hasLabel: boolean;
  readonly now: number;
}

/**
 * What a controller of this image begins with. Without a label every card that is written with it makes its own setup
 * code, and shows it on its screen.
 */
export const fillSeed = async (folder: string, order: SeedOrder): Promise<LabelFacts | null> => {
  const { profile, claim, now } = order;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (claim !== null) write(folder, 'lintel/identity/pending-claim.json', queuedClaim(claim, profile, now));
  if (!order.hasLabel) return null;
  const secrets = await makeSecrets(randomBytes, null);
  const label = labelOf(secrets);
  write(folder, 'lintel/technician/setup-code', `${secrets.setupCode}\n`);
  write(folder, 'lintel/technician/key.pem', secrets.page.key);
  write(folder, 'lintel/technician/certificate.pem', secrets.page.certificate);
  const wifi = { ssid: label.hotspot.ssid, password: secrets.hotspotPassphrase };
  write(folder, 'network/lintel-hotspot.nmconnection', hotspotConnection(wifi, randomUUID()));
  return label;
};
