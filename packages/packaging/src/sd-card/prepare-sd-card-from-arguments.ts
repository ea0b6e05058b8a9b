import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CommandHandler } from '@lintel/service/command-line/cli-command';
import { openProgressLine, reportNothing } from '@lintel/service/command-line/progress';
import { buildTechnicianPageUrl } from '../labels/label-data.ts';
import { writeLabelFile } from '../labels/write-label-file.ts';
import { repositoryRoot } from '../debian-package/repository-root.ts';
import { buildControllerPackage } from './build-controller-package.ts';
import { fetchBytes } from './offline-packages/fetch-packages.ts';
import { fetchCardReaderPackages } from './offline-packages/fetch-card-reader-packages.ts';
import { prepareSdCard, type PreparedSdCard } from './prepare-sd-card.ts';
import { parseSdCardSettings } from './parse-prepare-command-options.ts';
import { askWifiPassword } from './ask-wifi-password.ts';

export const prepareCommandUsage = `lintel image prepare BOOTFOLDER [--profile FILE] [OPTIONS]
lintel image prepare --web [BOOTFOLDER] [--package FILE] [--packages DIR]

Makes a door controller of a card that was freshly written with Raspberry Pi OS Lite (64-bit). BOOTFOLDER is its FAT
partition, which every computer shows as "bootfs". Settings from Raspberry Pi Imager are kept. The Pi needs no internet.
Run it again before the first start to change the card: the label stays valid.

  --profile FILE          the product: a file, or an id of \`lintel profile list\` (default: the technician chooses
                          it on the controller's page)
  --bridge URL            the controller claims itself as soon as it is online, with --code
  --code CODE             of a claim ticket, such as 7K3M-0QXW-PT5H
  --ca-fingerprint FP     ca_fingerprint that the bridge prints at its start, if it has its own certificate authority
  --wifi SSID             Wi-Fi to join; asks for the password, or takes it from LINTEL_WIFI_PASSWORD
  --wifi-country CC       where the radio is used, as in ES
  --hostname NAME         host name (default: the name on the label)
  --ssh-key FILE          public keys that may log in over SSH (default: SSH is off)
  --label FILE            a .pdf (default: NAME-label.pdf in this folder)
  --package FILE          the controller's package (default: builds it)
  --packages DIR          Debian packages to install (default: downloads those for card readers)
  --fresh                 new setup code, name and certificate: print the label again
  --json                  print one JSON document
  --web                   ask for everything on a page in the browser of this computer, and show the label there

  npx lintel image prepare /media/me/bootfs --profile hardware-profiles/profiles/usb-only.json
`;

const formatText = ({ mechanism, label, isSameLabel, warnings }: PreparedSdCard, file: string): string =>
  [
    `${label.name} is prepared (first boot by ${mechanism}). Eject the card, put it into the Pi and switch it on.`,
    `In about three minutes its page is at ${buildTechnicianPageUrl(label)}`,
    `The label is ${file}${isSameLabel ? ', with the same code as before' : ''}. It has the setup code: keep it private.`,
    ...warnings.map(warning => `Warning: ${warning}`),
  ].join('\n');

const formatJson = ({ mechanism, label, productId, isSameLabel, warnings }: PreparedSdCard, file: string): string =>
  JSON.stringify({
    mechanism,
    name: label.name,
    address: buildTechnicianPageUrl(label),
    hardware_id: label.hardwareId,
    setup_code: label.setupCode,
    fingerprint: label.fingerprint,
    hotspot: label.hotspot,
    product_id: productId,
    label: file,
    same_label: isSameLabel,
    warnings,
  });

export const prepareSdCardFromArguments = async (
  args: readonly string[],
  wifiPassword: (ssid: string) => Promise<string>,
  report = reportNothing,
) => {
  const settings = parseSdCardSettings(args);
  const prepared = await prepareSdCard(settings, {
    now: Date.now(),
    randomBytes,
    uuid: randomUUID,
    wifiPassword,
    readerPackages: suite =>
      fetchCardReaderPackages(suite, join(repositoryRoot, 'node_modules/.cache/lintel-debian'), fetchBytes, report),
    controllerPackage: () => buildControllerPackage(report),
  });
  const file = settings.label ?? `${prepared.label.name}-label.pdf`;
  await writeLabelFile(file, prepared.label).catch((error: unknown) => {
    const why = (error as Error).message;
    throw new Error(
      `The card is prepared, its label could not be written: ${why}. Run the command again: the code stays the same.`,
    );
  });
  return { prepared, file, isJson: settings.json };
};

/** `lintel image prepare` without `--web`. */
export const runPrepareCommand: CommandHandler = async (args, { stdin, stdout, stderr }) => {
  const prepareWithProgress = async () => {
    using progress = openProgressLine({ stderr, isQuiet: args.includes('--json') });
    const askPassword = (ssid: string) => askWifiPassword(ssid, process.env, stdin.isTTY === true);
    return await prepareSdCardFromArguments(args, askPassword, progress.report);
  };
  const { prepared, file, isJson } = await prepareWithProgress();
  stdout.write(`${isJson ? formatJson(prepared, file) : formatText(prepared, file)}\n`);
  return 0;
};
