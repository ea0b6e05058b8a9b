import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { commandOf } from '@lintel/service/command-line/command';
import { addressOf } from '../labels/label-facts.ts';
import { writeLabel } from '../labels/write-label.ts';
import { clone } from '../debian-package/clone.ts';
import { controllerPackage } from './controller-package.ts';
import { fetchBytes } from './offline-packages/fetch-packages.ts';
import { readerPackages } from './offline-packages/reader-packages.ts';
import { orderOf } from './order.ts';
import { prepareCard, type Prepared } from './prepare.ts';
import { wifiPassword } from './wifi-password.ts';

const usage = `lintel image prepare BOOTFOLDER [--profile FILE] [OPTIONS]

Makes a door controller of a card that was freshly written with Raspberry Pi OS Lite (64-bit). BOOTFOLDER is its FAT
partition, which every computer shows as "bootfs". What was set up on the card with Raspberry Pi Imager stays. The Pi
needs no internet. Called again before the first start it changes the card, and the label stays right.

  --profile FILE          the product, see \`lintel profile list\`; without it a technician chooses on the controller's page
  --bridge URL            claims the controller by itself as soon as it has a line, with --code
  --code CODE             of a claim ticket, such as 7K3M-0QXW-PT5H
  --ca-fingerprint FP     what the bridge prints at its start as ca_fingerprint, where it is its own authority
  --wifi SSID             joins this Wi-Fi; the password is asked for, or taken from LINTEL_WIFI_PASSWORD
  --wifi-country CC       where the radio is used, as in ES
  --hostname NAME         instead of the name on the label
  --ssh-key FILE          public keys that may log in over SSH, which is off otherwise
  --label FILE            .pdf or .png, instead of NAME-label.pdf in this folder
  --package FILE          the controller's package, instead of one that is built now
  --packages DIR          Debian packages that come along, instead of those that are fetched now for card readers
  --fresh                 another setup code, name and certificate than before: print the label again
  --json                  one JSON document instead of words

  npx lintel image prepare /media/me/bootfs --profile hardware-profiles/profiles/usb-only.json
`;

const inWords = ({ mechanism, label, isSameLabel, warnings }: Prepared, file: string): string =>
  [
    `${label.name} is prepared (first boot by ${mechanism}). Eject the card, put it into the Pi and switch it on.`,
    `In about three minutes its page is at ${addressOf(label)}`,
    `The label is ${file}${isSameLabel ? ', with the same code as before' : ''}. It has the setup code: keep it private.`,
    ...warnings.map(warning => `Mind: ${warning}`),
  ].join('\n');

const asJson = ({ mechanism, label, productId, isSameLabel, warnings }: Prepared, file: string): string =>
  JSON.stringify({
    mechanism,
    name: label.name,
    address: addressOf(label),
    setup_code: label.setupCode,
    fingerprint: label.fingerprint,
    hotspot: label.hotspot,
    product_id: productId,
    label: file,
    same_label: isSameLabel,
    warnings,
  });

export const command = commandOf(usage, async (args, { stdin, stdout }) => {
  const order = orderOf(args);
  const prepared = await prepareCard(order, {
    now: Date.now(),
    randomBytes,
    uuid: randomUUID,
    wifiPassword: ssid => wifiPassword(ssid, process.env, stdin.isTTY === true),
    readerPackages: suite => readerPackages(suite, join(clone, 'node_modules/.cache/lintel-debian'), fetchBytes),
    controllerPackage,
  });
  const file = order.label ?? `${prepared.label.name}-label.pdf`;
  await writeLabel(file, prepared.label).catch((error: unknown) => {
    const why = (error as Error).message;
    throw new Error(`The card is prepared, its label could not be written: ${why}. Call it again: the code stays.`);
  });
  stdout.write(`${order.json ? asJson(prepared, file) : inWords(prepared, file)}\n`);
  return 0;
});
