import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LabelFacts } from '../labels/label-facts.ts';
import type { OwnSettings } from './own-settings.ts';
import type { CardFile } from './card-files.ts';
import { KEPT_LINE } from './kernel-line.ts';
import type { MadeSecrets } from './made-secrets.ts';
import { hotspotConnection, type Wifi, wifiConnection } from './network-connections.ts';

/** Scripts and units that run on the Pi. */
export const firstBootFolder = fileURLToPath(new URL('../../files/first-boot/', import.meta.url));

const scripts = ['start.sh', 'first-boot.sh', 'lintel-first-boot.service', 'hotspot.sh', 'lintel-hotspot.service'];

export interface CardContents {
  readonly secrets: MadeSecrets;
  readonly label: LabelFacts;
  readonly own: OwnSettings;
  readonly kernelWords: readonly string[];
  readonly hostname: string | null;
  readonly profileFile: string | null;
  /** `authorized_keys`, or null where nobody is to come in that way. */
  readonly sshKeys: string | null;
  readonly wifi: Wifi | null;
  /** `pending-claim.json`. */
  readonly claim: string | null;
  readonly controllerPackage: string;
  readonly otherPackages: readonly string[];
  readonly now: number;
  readonly uuid: () => string;
}

const sshOf = ({ sshKeys, own }: CardContents): string => (sshKeys !== null ? 'key' : own.ssh ? 'keep' : 'off');

/** A line each, for a shell to read. */
const settingsOf = (contents: CardContents): string => {
  const { label, own, hostname, now } = contents;
  const name = hostname ?? (own.hostname ? null : label.name);
  return [
    `name=${label.name}`,
    ...(name === null ? [] : [`hostname=${name}`]),
    `time_floor_ms=${now}`,
    `user=${own.user ? 'keep' : 'lock'}`,
    `ssh=${sshOf(contents)}`,
    '',
  ].join('\n');
};

const secretTexts = ({ secrets, label, wifi, claim, uuid }: CardContents): Record<string, string | null> => ({
  'setup-code': `${secrets.setupCode}\n`,
  'key.pem': secrets.page.key,
  'certificate.pem': secrets.page.certificate,
  'hotspot-passphrase': `${secrets.hotspotPassphrase}\n`,
  'lintel-hotspot.nmconnection': hotspotConnection(
    { ssid: label.hotspot.ssid, password: secrets.hotspotPassphrase },
    uuid(),
  ),
  'lintel-wifi.nmconnection': wifi === null ? null : wifiConnection(wifi, uuid()),
  'pending-claim.json': claim,
});

const textFiles = (texts: Readonly<Record<string, string | null>>, folder = ''): CardFile[] =>
  Object.entries(texts).flatMap(([name, text]) => (text === null ? [] : [{ name: `${folder}${name}`, text }]));

/** The settings come first: by them a card that was left half prepared is known. */
export const cardFiles = (contents: CardContents): CardFile[] => [
  ...textFiles({
    settings: settingsOf(contents),
    'profile.json': contents.profileFile === null ? null : readFileSync(contents.profileFile, 'utf8'),
    authorized_keys: contents.sshKeys,
    [KEPT_LINE]: `${contents.kernelWords.join(' ')}\n`,
  }),
  ...textFiles(secretTexts(contents), 'secrets/'),
  ...scripts.map(name => ({ name, from: join(firstBootFolder, name) })),
  ...contents.otherPackages.map(file => ({ name: `packages/${basename(file)}`, from: file })),
  { name: basename(contents.controllerPackage), from: contents.controllerPackage },
];
