import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ControllerLabelData } from '../labels/label-data.ts';
import type { SdCardFile } from './write-sd-card-files.ts';
import type { DeviceLabelSecrets } from './device-label-secrets.ts';
import type { ExistingSdCardSettings } from './existing-settings.ts';
import { SAVED_KERNEL_ARGUMENTS_FILE } from './kernel-arguments.ts';
import {
  formatHotspotConnectionFile,
  type WifiCredentials,
  formatWifiConnectionFile,
} from './network-connection-files.ts';

/** Scripts and units that run on the Pi. */
export const firstBootFilesFolder = join(import.meta.dirname, '../../files/first-boot');

const scripts = ['start.sh', 'first-boot.sh', 'lintel-first-boot.service', 'hotspot.sh', 'lintel-hotspot.service'];

interface CardContents {
  readonly secrets: DeviceLabelSecrets;
  readonly label: ControllerLabelData;
  readonly existing: ExistingSdCardSettings;
  readonly kernelArguments: readonly string[];
  readonly hostname: string | null;
  readonly profileFile: string | null;
  /** The text of `authorized_keys`. */
  readonly sshKeys: string | null;
  readonly wifi: WifiCredentials | null;
  /** The text of `pending-claim.json`. */
  readonly claim: string | null;
  readonly controllerPackage: string;
  readonly otherPackages: readonly string[];
  readonly now: number;
  readonly uuid: () => string;
}

/** One `name=value` per line, read by a shell script. */
const settingsOf = ({ label, existing, hostname, sshKeys, now }: CardContents): string => {
  const name = hostname ?? (existing.hostname ? null : label.name);
  return [
    `name=${label.name}`,
    ...(name === null ? [] : [`hostname=${name}`]),
    `time_floor_ms=${now}`,
    `user=${existing.user ? 'keep' : 'lock'}`,
    `ssh=${sshKeys !== null ? 'key' : existing.ssh ? 'keep' : 'off'}`,
    '',
  ].join('\n');
};

/** The settings come first: they mark a card whose preparation was interrupted. */
export const createSdCardFiles = (contents: CardContents): SdCardFile[] => {
  const { secrets, label, wifi, claim, profileFile, controllerPackage, otherPackages, uuid } = contents;
  const hotspot = { ssid: label.hotspot.ssid, password: secrets.hotspotPassphrase };
  const texts: Readonly<Record<string, string | null>> = {
    settings: settingsOf(contents),
    'profile.json': profileFile === null ? null : readFileSync(profileFile, 'utf8'),
    authorized_keys: contents.sshKeys,
    [SAVED_KERNEL_ARGUMENTS_FILE]: `${contents.kernelArguments.join(' ')}\n`,
    'secrets/hardware-id': `${secrets.hardwareId}\n`,
    'secrets/setup-code': `${secrets.setupCode}\n`,
    'secrets/key.pem': secrets.page.key,
    'secrets/certificate.pem': secrets.page.certificate,
    'secrets/hotspot-passphrase': `${secrets.hotspotPassphrase}\n`,
    'secrets/lintel-hotspot.nmconnection': formatHotspotConnectionFile(hotspot, uuid()),
    'secrets/lintel-wifi.nmconnection': wifi === null ? null : formatWifiConnectionFile(wifi, uuid()),
    'secrets/pending-claim.json': claim,
  };
  const copy = (name: string, file: string): SdCardFile => ({ name, content: readFileSync(file) });
  return [
    ...Object.entries(texts).flatMap(([name, content]) => (content === null ? [] : [{ name, content }])),
    ...scripts.map(name => copy(name, join(firstBootFilesFolder, name))),
    ...otherPackages.map(file => copy(`packages/${basename(file)}`, file)),
    copy(basename(controllerPackage), controllerPackage),
  ];
};
