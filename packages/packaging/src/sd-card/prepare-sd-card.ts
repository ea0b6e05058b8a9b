import { resolveProfileFile } from '@lintel/hardware-profiles/load-profiles';
import { join } from 'node:path';
import type { ControllerLabelData } from '../labels/label-data.ts';
import { requireFreeSpaceOnCard, type FirstBootMechanism, readBootFolder } from './boot-folder.ts';
import { createSdCardFiles } from './create-sd-card-files.ts';
import { sumFileSizes, writeFileAtomically, replaceLintelFolderFiles } from './write-sd-card-files.ts';
import { detectDebianSuite, findSuiteWarnings } from './detect-debian-suite.ts';
import { requireControllerPackage, listExtraDebFiles } from './controller-and-extra-deb-files.ts';
import type { BoardProfileFields } from './boot-config.ts';
import { toLabelData, createDeviceLabelSecrets, readDeviceLabelSecrets } from './device-label-secrets.ts';
import type { CardReaderPackages } from './offline-packages/fetch-card-reader-packages.ts';
import type { DebianSuite } from './offline-packages/debian-suites-and-package-names.ts';
import { requireValidSdCardClaimOptions, formatPendingClaimFile } from './claim-options.ts';
import type { SdCardSettings } from './parse-prepare-command-options.ts';
import { needsPcsc, readProfileForSdCard, findUnmetRequirements } from './profile-requirements.ts';
import { readSshPublicKeys } from './ssh-public-keys.ts';
import { buildChangedBootFiles } from './changed-boot-files.ts';

export interface PrepareSdCardDependencies {
  readonly now: number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly uuid: () => string;
  /** Called only with --wifi. */
  readonly wifiPassword: (ssid: string) => Promise<string>;
  /** Downloads the packages for card readers. Called only when they may be needed and none are given. */
  readonly readerPackages: (suite: DebianSuite) => Promise<CardReaderPackages>;
  /** Builds the controller's package. Called only when none is given. */
  readonly controllerPackage: () => Promise<string>;
}

export interface PreparedSdCard {
  readonly mechanism: FirstBootMechanism;
  readonly label: ControllerLabelData;
  readonly productId: string | null;
  /** True when the label of an earlier preparation is still valid. */
  readonly isSameLabel: boolean;
  readonly warnings: readonly string[];
}

/** Checks and collects everything before it writes to the card. The files that enable the first boot come last. */
export const prepareSdCard = async (
  settings: SdCardSettings,
  dependencies: PrepareSdCardDependencies,
): Promise<PreparedSdCard> => {
  const { now, uuid } = dependencies;
  const { hostname, ssid } = settings;
  const profile = settings.profile === null ? null : readProfileForSdCard(settings.profile);
  const wiring: BoardProfileFields = profile ?? { buses: {} };
  if (settings.claim !== null) requireValidSdCardClaimOptions(settings.claim);
  const sshKeys = settings.sshKey === null ? null : readSshPublicKeys(settings.sshKey);
  const boot = readBootFolder(settings.bootFolder);
  const givenPackages = settings.packages === null ? null : await listExtraDebFiles(settings.packages);
  if (settings.package !== null) await requireControllerPackage(settings.package);
  const wifi = ssid === null ? null : { ssid, password: await dependencies.wifiPassword(ssid) };

  const folder = join(boot.path, 'lintel');
  const earlier = settings.isFresh ? null : readDeviceLabelSecrets(join(folder, 'secrets'));
  const secrets = earlier ?? (await createDeviceLabelSecrets(dependencies.randomBytes, hostname, now));
  const label = toLabelData(secrets);
  const changes = buildChangedBootFiles(boot, wiring, settings.wifiCountry, label.name);
  const suite = detectDebianSuite(boot);
  const mayNeedPcsc = profile === null || needsPcsc(profile);
  const downloaded = givenPackages === null && mayNeedPcsc ? await dependencies.readerPackages(suite) : null;
  const otherPackages = givenPackages ?? downloaded?.files ?? [];
  const files = createSdCardFiles({
    secrets,
    label,
    existing: boot.existing,
    kernelArguments: boot.kernelArguments,
    hostname,
    profileFile: settings.profile === null ? null : resolveProfileFile(settings.profile),
    sshKeys,
    wifi,
    claim: settings.claim === null ? null : formatPendingClaimFile(settings.claim, profile, now),
    controllerPackage: settings.package ?? (await dependencies.controllerPackage()),
    otherPackages,
    now,
    uuid,
  });
  requireFreeSpaceOnCard(boot.path, sumFileSizes(files));
  replaceLintelFolderFiles(folder, files);
  for (const [name, text] of changes) writeFileAtomically(join(boot.path, name), text);
  return {
    mechanism: boot.mechanism,
    label,
    productId: profile?.product_id ?? null,
    isSameLabel: earlier !== null,
    warnings: [
      ...boot.warnings,
      ...(downloaded?.problem == null ? [] : [downloaded.problem]),
      ...findSuiteWarnings(settings.packages, suite),
      ...findUnmetRequirements(wiring, otherPackages),
      ...(boot.existing.ssh && sshKeys === null ? ['SSH stays on, as it was set up on this card'] : []),
      ...(boot.existing.hostname && hostname === null ? ['the host name stays as it was set up on this card'] : []),
    ],
  };
};
