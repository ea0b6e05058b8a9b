import { join } from 'node:path';
import type { LabelFacts } from '../labels/label-facts.ts';
import { checkRoom, type Mechanism, readBootFolder } from './boot-folder.ts';
import { cardFiles } from './card-contents.ts';
import { totalSize, writeCardFiles } from './card-files.ts';
import { otherSuite, suiteOf } from './card-suite.ts';
import { checkController, debsIn } from './deb-files.ts';
import { makeSecrets, type MadeSecrets, readSecrets } from './made-secrets.ts';
import { HOTSPOT_ADDRESS } from './network-connections.ts';
import type { ReaderPackages } from './offline-packages/reader-packages.ts';
import type { Suite } from './offline-packages/wanted-packages.ts';
import type { PrepareOrder } from './order.ts';
import { needsPcsc, readProfile, unmetDemands } from './profile-fit.ts';
import { checkClaim, queuedClaim } from './queued-claim.ts';
import { readSshKeys } from './ssh-key.ts';
import { switchOn, systemFiles } from './switch-on.ts';

/** What preparing takes from outside. */
export interface PrepareParts {
  readonly now: number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly uuid: () => string;
  /** Asked only when there is a Wi-Fi to join. */
  readonly wifiPassword: (ssid: string) => Promise<string>;
  /** Fetches what card readers need; asked only where there may be such readers and no packages were given. */
  readonly readerPackages: (suite: Suite) => Promise<ReaderPackages>;
  /** Builds the controller's package; asked only where none was given. */
  readonly controllerPackage: () => Promise<string>;
}

export interface Prepared {
  readonly mechanism: Mechanism;
  readonly label: LabelFacts;
  readonly productId: string | null;
  /** The card had been prepared before, and a label that was printed then is still right. */
  readonly isSameLabel: boolean;
  readonly warnings: readonly string[];
}

const PORT = 8443;

/** Until somebody chooses a profile. */
const NOTHING_WIRED = { buses: {} };

const labelOf = ({ page, setupCode, hotspotPassphrase }: MadeSecrets): LabelFacts => ({
  name: page.name,
  port: PORT,
  setupCode,
  fingerprint: page.fingerprint,
  hotspot: {
    ssid: page.name.replace(/^l/, 'L'),
    passphrase: hotspotPassphrase,
    address: HOTSPOT_ADDRESS,
  },
});

const kept = (order: PrepareOrder, own: { readonly ssh: boolean; readonly hostname: boolean }): string[] => [
  ...(own.ssh && order.sshKey === null ? ['SSH stays on, as it was set up on this card'] : []),
  ...(own.hostname && order.hostname === null ? ['the host name stays as it was set up on this card'] : []),
];

/** Everything is checked and at hand before the first byte is written; what switches the first boot on comes last. */
export const prepareCard = async (order: PrepareOrder, parts: PrepareParts): Promise<Prepared> => {
  const { now, uuid } = parts;
  const profile = order.profile === null ? null : readProfile(order.profile);
  const wired = profile ?? NOTHING_WIRED;
  if (order.claim !== null) checkClaim(order.claim);
  const sshKeys = order.sshKey === null ? null : readSshKeys(order.sshKey);
  const boot = readBootFolder(order.bootFolder);
  const given = order.packages === null ? null : await debsIn(order.packages);
  if (order.package !== null) await checkController(order.package);
  const wifi = order.ssid === null ? null : { ssid: order.ssid, password: await parts.wifiPassword(order.ssid) };

  const folder = join(boot.path, 'lintel');
  const before = order.isFresh ? null : readSecrets(join(folder, 'secrets'));
  const secrets = before ?? (await makeSecrets(parts.randomBytes, order.hostname));
  const label = labelOf(secrets);
  const changes = systemFiles(boot, wired, order.wifiCountry, label.name);
  const fetched =
    given === null && (profile === null || needsPcsc(profile)) ? await parts.readerPackages(suiteOf(boot)) : null;
  const otherPackages = given ?? fetched?.files ?? [];
  const controllerPackage = order.package ?? (await parts.controllerPackage());
  const files = cardFiles({
    secrets,
    label,
    own: boot.own,
    kernelWords: boot.kernelWords,
    hostname: order.hostname,
    profileFile: order.profile,
    sshKeys,
    wifi,
    claim: order.claim === null ? null : queuedClaim(order.claim, profile, now),
    controllerPackage,
    otherPackages,
    now,
    uuid,
  });
  checkRoom(boot.path, totalSize(files));
  writeCardFiles(folder, files);
  switchOn(boot.path, changes);
  return {
    mechanism: boot.mechanism,
    label,
    productId: profile?.product_id ?? null,
    isSameLabel: before !== null,
    warnings: [
      ...boot.warnings,
      ...(fetched?.trouble == null ? [] : [fetched.trouble]),
      ...otherSuite(order.packages, suiteOf(boot)),
      ...unmetDemands(wired, otherPackages),
      ...kept(order, boot.own),
    ],
  };
};
