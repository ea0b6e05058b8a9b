import { chmodSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type OsdpTestBench,
  type OsdpTestBenchReader,
  openOsdpTestBench,
  waitUntil,
} from '../testing/osdp-test-bench.ts';
import { recordCards, recordKeys, pairedKey } from './paired-bench.test-support.ts';
import { requireProgram } from '@lintel/test/support/require-program';
import { requiredPython } from '@lintel/test/support/processes/pty';

beforeEach(context => requireProgram(context, requiredPython));

let bench: OsdpTestBench;
afterEach(() => bench.close());

const open = async (...readers: readonly OsdpTestBenchReader[]): Promise<OsdpTestBench> => {
  bench = await openOsdpTestBench(...readers);
  return bench;
};

const POLL = 0x60;
const KEYSET = 0x75;

describe('OSDP pairing', () => {
  it('sets a unique key in a new reader and uses only that key from then on', async () => {
    await open({ address: 1, security: 'pair' });
    await bench.ready();
    const { key, receivedCommands } = bench.reader();
    expect(bench.keys.read(1)).toEqual({ bytes: Uint8Array.from(key!), confirmed: true });
    const keyset = receivedCommands.findIndex(({ code }) => code === KEYSET);
    expect(receivedCommands[keyset]).toEqual({ code: KEYSET, isEncrypted: true });
    expect(receivedCommands.filter(({ code, isEncrypted }) => code !== 0x61 && !isEncrypted)).toEqual([]);
    expect(receivedCommands.slice(0, keyset).some(({ code }) => code === POLL)).toBe(false);
  });

  it('reconnects after a restart of the panel without a new key', async () => {
    await open({ address: 1, security: 'pair' });
    await bench.ready();
    const { key } = bench.reader();
    await bench.restartPanel();
    const keys = recordKeys(bench);
    await bench.ready();
    expect(bench.reader().key).toEqual(key);
    bench.reader().press('7');
    await expect.poll(() => keys).toEqual(['7']);
  });

  it('starts again when it is unknown whether the reader received the key', async () => {
    await open({ address: 1, security: 'pair' });
    bench.keys.write(1, { bytes: pairedKey, confirmed: false });
    await bench.restartPanel();
    await bench.ready();
    expect(bench.reader().key).toEqual(pairedKey);
    expect(bench.keys.read(1)?.confirmed).toBe(true);
  });

  it('never returns to the installation key after the key was confirmed', async () => {
    await open({ address: 1, security: 'pair' });
    bench.keys.write(1, { bytes: pairedKey, confirmed: true });
    await bench.restartPanel();
    await waitUntil('it is refused', () => bench.peripheral().fault()?.kind === 'broken');
    expect(bench.reader().key).toBeNull();
    expect(bench.reader().receivedCommands.every(({ code }) => code === 0x61)).toBe(true);
  });

  it('never sends unencrypted commands to a paired reader, whatever the profile says', async () => {
    await open({ address: 1, security: 'plain' });
    bench.keys.write(1, { bytes: pairedKey, confirmed: true });
    await bench.restartPanel();
    const keys = recordKeys(bench);
    bench.reader().press('1234');
    await waitUntil('it is refused', () => bench.peripheral().fault()?.kind === 'broken');
    expect(keys).toEqual([]);
  });

  it('reports why a reader is not used: no key, another key, no secure channel, no plain text', async () => {
    await open(
      { address: 1, security: 'paired' },
      { address: 2, security: 'pair', key: pairedKey },
      { address: 3, security: 'pair', supportsSecureChannel: false },
      { address: 4, security: 'plain', key: pairedKey },
    );
    await expect.poll(() => bench.peripheral(1).fault()?.message).toMatch(/no key yet/);
    await expect.poll(() => bench.peripheral(2).fault()?.message).toMatch(/installation mode/);
    await expect.poll(() => bench.peripheral(3).fault()?.message).toMatch(/not support a secure channel/);
    await expect.poll(() => bench.peripheral(4).fault()?.message).toMatch(/requires a secure channel/);
  });

  it('stores the key readable by its owner only and rejects a file that others can read', async () => {
    await open({ address: 1, security: 'pair' });
    await bench.ready();
    const [file] = readdirSync(bench.folder);
    expect(readFileSync(`${bench.folder}/${file}`).subarray(0, 16)).toEqual(bench.reader().key);
    chmodSync(`${bench.folder}/${file}`, 0o644);
    await bench.restartPanel();
    await expect.poll(() => bench.peripheral().fault()?.message).toMatch(/owner only: chmod 600/);
    chmodSync(`${bench.folder}/${file}`, 0o600);
    await waitUntil('it is used', () => bench.peripheral().fault() === null);
  });

  it('reports which file to delete for a replaced reader, and pairs again without a restart', {
    tags: ['slow'],
  }, async () => {
    await open({ address: 1, security: 'pair' });
    bench.keys.write(1, { bytes: pairedKey, confirmed: true });
    await bench.restartPanel();
    const file = `${bench.folder}/${readdirSync(bench.folder)[0]}`;
    await expect.poll(() => bench.peripheral().fault()?.message).toContain(`delete ${file} and pair it again`);
    rmSync(file);
    await waitUntil('it is paired', () => bench.peripheral().fault() === null);
    expect(bench.keys.read(1)).toEqual({ bytes: Uint8Array.from(bench.reader().key!), confirmed: true });
    expect(bench.reader().key).not.toEqual(pairedKey);
  });

  it('does not use a truncated key file and reports what to do', { tags: ['slow'] }, async () => {
    await open({ address: 1, security: 'pair' }, { address: 2, security: 'plain' });
    for (const address of [1, 2]) {
      bench.keys.write(address, { bytes: pairedKey, confirmed: true });
      truncateSync(bench.keys.placeOf(address), 9);
    }
    await bench.restartPanel();
    for (const address of [1, 2]) {
      const message = `${bench.keys.placeOf(address)} is damaged: restore it`;
      await expect.poll(() => bench.peripheral(address).fault()?.message).toContain(message);
      expect(bench.reader(address).receivedCommands.every(({ code }) => code === 0x61)).toBe(true);
      rmSync(bench.keys.placeOf(address));
    }
    await waitUntil('both are used', () => [1, 2].every(address => bench.peripheral(address).fault() === null));
  });

  it('logs no key, card or digit', async () => {
    await open({ address: 1, security: 'pair' });
    const keys = recordKeys(bench);
    const cards = recordCards(bench);
    await bench.ready();
    bench.reader().press('80085');
    bench.reader().tap(Buffer.from('deadbeef', 'hex'));
    bench.reader().tap(Buffer.from('deadbeef', 'hex'), 31);
    await expect.poll(() => [keys.length, cards.length]).toEqual([5, 1]);
    await bench.unplug();
    const log = bench.logged.join('\n').toLowerCase();
    expect(log).toMatch(/reader paired/);
    for (const secret of ['80085', 'deadbeef', bench.reader().key!.toString('hex'), bench.reader().key!.join()])
      expect(log).not.toContain(secret);
  });
});
