import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { saveMemberIndexOf } from '@lintel/device-runtime/testing';
import { listShorterPins } from '@lintel/access-core/pin-digits';
import { createCredentialDigester, type CredentialDigester } from '@lintel/crypto/credential-digester';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';

const LONG_PIN = '03147709877937627044';
const PINS = ['2580', '258077', '1357924', LONG_PIN];

const readAllFiles = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path));

/** The digest in every form in which a file of the controller may contain it. */
const formsOf = (digest: string): Buffer[] => {
  const bytes = Buffer.from(digest, 'hex');
  const asWords = Buffer.from(bytes).swap32();
  return [
    bytes,
    asWords,
    ...[digest, digest.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')].map(text =>
      Buffer.from(text),
    ),
  ];
};

const findDigest = (files: readonly Buffer[], digester: CredentialDigester, digits: string): boolean =>
  formsOf(digester('pin', digits)).some(form => files.some(file => file.includes(form)));

it('a data folder of a controller contains the digest of no proper prefix of a PIN', async () => {
  const bridge = await TestBridge.open({ isTicking: true });
  const site = await FirmwareSite.open(bridge);
  try {
    const door = await site.claimController();
    const group = await site.createGroup(door.gadgetId);
    for (const pin of PINS) await site.createMember(group, { pin });
    door.start();
    await door.waitUntilSynced();
    door.running.keypad.press(`${LONG_PIN}2580#`);
    door.running.keypad.press('135792#');
    const kinds = door.recorded.map(({ kind }) => kind).filter(kind => kind === 'use' || kind === 'deny');
    expect(kinds).toEqual(['use', 'use', 'deny']);
    await door.waitUntilEventsUploaded();
    await door.stop();
    await saveMemberIndexOf(door.dataDir);

    const files = readAllFiles(door.dataDir);
    const digester = createCredentialDigester(new DigestKeyFile(join(door.dataDir, 'digest.key')).read());
    expect(PINS.filter(pin => findDigest(files, digester, pin))).toEqual(PINS);
    const prefixes = PINS.flatMap(pin => [...listShorterPins(pin), ...[1, 2, 3].map(length => pin.slice(0, length))]);
    const found = prefixes.filter(prefix => !PINS.includes(prefix) && findDigest(files, digester, prefix));
    expect(found).toEqual([]);
  } finally {
    await site.close();
    await bridge.close();
  }
});
