import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { requireProgram } from '@lintel/test/support/require-program';
import { requiredPython } from '@lintel/test/support/processes/pty';
import type { ReaderReplacement } from '../interfaces/replaceable-reader.ts';
import { type OsdpTestBench, openOsdpTestBench, waitUntil } from '../testing/osdp-test-bench.ts';
import { recordKeys, pairedKey } from './paired-bench.test-support.ts';
import type { OsdpReplacementWindow } from './peripheral-state-types.ts';
import { OsdpReaderReplacement } from './reader-replacement.ts';

const KEYSET = 0x75;
const otherKey = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const MINUTES = 60_000;

let bench: OsdpTestBench;

/** A panel that knows the key of the reader before, with a reader that has `key`; null: in installation mode. */
const openWithReader = async (key: Buffer | null, security: 'pair' | 'paired' = 'paired'): Promise<void> => {
  bench = await openOsdpTestBench({ address: 1, security, key });
  bench.keys.write(1, { bytes: pairedKey, confirmed: true });
  await bench.restartPanel();
};

const current = (): ReaderReplacement | null => bench.bus.replacement(1).current();

const replace = (key: Uint8Array | null = null, forMs = 5 * MINUTES): ReaderReplacement[] => {
  const ended: ReaderReplacement[] = [];
  bench.bus.replacement(1).start({ key, forMs, onEnd: replacement => ended.push(replacement) });
  return ended;
};

const isRefused = (): Promise<void> => waitUntil('it is refused', () => bench.peripheral().fault()?.kind === 'broken');
const isUsed = (): Promise<void> => waitUntil('it is used', () => bench.peripheral().fault() === null);

describe('replacing an OSDP reader', () => {
  beforeEach(context => requireProgram(context, requiredPython));
  afterEach(() => bench.close());

  it('gives a reader in installation mode a key of its own, and then accepts only that key', async () => {
    await openWithReader(null);
    await isRefused();
    expect(bench.reader().key).toBeNull();
    const ended = replace();
    await waitUntil('it is replaced', () => ended.length === 1);
    expect(ended[0]).toMatchObject({ state: 'done', identity: { vendor: '000ee3', serial: 0x12345678 } });
    const { key } = bench.reader();
    expect(bench.keys.read(1)).toEqual({ bytes: Uint8Array.from(key!), confirmed: true });
    expect(key).not.toEqual(pairedKey);
    expect(bench.reader().receivedCommands.find(({ code }) => code === KEYSET)).toEqual({
      code: KEYSET,
      isEncrypted: true,
    });
    const keys = recordKeys(bench);
    await isUsed();
    bench.reader().press('7');
    await expect.poll(() => keys).toEqual(['7']);

    bench.reader().key = null;
    bench.reader().restart();
    await isRefused();
    expect(bench.reader().key).toBeNull();
  });

  it('accepts a reader with the key that was typed in, and sets another one', { tags: ['slow'] }, async () => {
    await openWithReader(otherKey);
    await isRefused();
    const ended = replace(otherKey);
    await waitUntil('it is replaced', () => ended.length === 1);
    expect(ended[0]).toMatchObject({ state: 'done' });
    expect(bench.reader().key).not.toEqual(otherKey);
    expect(bench.keys.read(1)).toEqual({ bytes: Uint8Array.from(bench.reader().key!), confirmed: true });
  });

  it('does not accept the installation key when a key was typed in', { tags: ['slow'] }, async () => {
    await openWithReader(null);
    replace(otherKey);
    await expect.poll(() => current()?.message).toMatch(/rejects the key that was typed in/);
    expect(bench.reader().key).toBeNull();
  });

  it('refuses a reader with another key and says so, and keeps the stored key', { tags: ['slow'] }, async () => {
    await openWithReader(otherKey);
    replace();
    await expect.poll(current).toMatchObject({
      state: 'waiting',
      seen: 'refused',
      message: expect.stringMatching(/has another key/) as string,
    });
    bench.bus.replacement(1).cancel();
    expect(current()).toMatchObject({ state: 'canceled', remaining_ms: 0 });
    expect(bench.keys.read(1)).toEqual({ bytes: Uint8Array.from(pairedKey), confirmed: true });
  });

  it('leaves the old reader in use until the new one answers', async () => {
    await openWithReader(pairedKey);
    await bench.ready();
    const ended = replace();
    await expect.poll(current).toMatchObject({ seen: 'old_reader', message: null });
    bench.reader().isSilent = true;
    await expect.poll(current).toMatchObject({ seen: 'no_answer' });
    bench.reader().key = null;
    bench.reader().isSilent = false;
    await waitUntil('it is replaced', () => ended.length === 1);
    expect(bench.reader().key).not.toBeNull();
  });

  it('names the address at which the new reader answers instead', { tags: ['slow'] }, async () => {
    await openWithReader(null);
    bench.reader().address = 3;
    const ended = replace();
    await expect.poll(current, { timeout: 20_000 }).toMatchObject({ seen: 'other_address', found_address: 3 });
    expect(bench.reader().challenges).toBe(0);
    bench.reader().address = 1;
    await waitUntil('it is replaced', () => ended.length === 1);
  });

  it('does not accept the installation key after it was canceled', { tags: ['slow'] }, async () => {
    await openWithReader(otherKey, 'pair');
    replace();
    await isRefused();
    bench.bus.replacement(1).cancel();
    bench.reader().key = null;
    bench.reader().restart();
    const { challenges } = bench.reader();
    await waitUntil('it was tried again', () => bench.reader().challenges > challenges + 3);
    expect(bench.reader().key).toBeNull();
  });

  it('still accepts the old reader if the new one refused its key', { tags: ['slow'] }, async () => {
    await openWithReader(null);
    bench.reader().refusals.set(KEYSET, 9);
    replace();
    await expect.poll(() => current()?.message).toMatch(/rejects a new key/);
    bench.bus.replacement(1).cancel();
    expect(bench.keys.read(1)?.previous).toEqual(Uint8Array.from(pairedKey));
    bench.reader().refusals.clear();
    bench.reader().key = pairedKey;
    bench.reader().restart();
    await isUsed();
    expect(bench.keys.read(1)).toEqual({ bytes: Uint8Array.from(pairedKey), confirmed: true });
  });
});

describe('OsdpReaderReplacement', () => {
  it('closes its window when the time is over, and says what was seen', () => {
    const clock = new VirtualClock();
    const windows: (OsdpReplacementWindow | null)[] = [];
    const ended: ReaderReplacement[] = [];
    const replacement = new OsdpReaderReplacement({
      clock,
      view: () => ({ online: false, fault: { kind: 'absent', message: 'silent' }, foundAddress: null }),
      setWindow: window => windows.push(window),
    });
    replacement.start({ key: null, forMs: 5 * MINUTES, onEnd: one => ended.push(one) });
    expect(windows).toMatchObject([{ until: monotonic(clock.now() + 5 * MINUTES), base: { installation: true } }]);
    clock.advance(5 * MINUTES - 1);
    expect(replacement.current()).toMatchObject({ state: 'waiting', remaining_ms: 1, seen: 'no_answer' });
    clock.advance(1);
    expect(windows.at(-1)).toBeNull();
    expect(ended).toMatchObject([{ state: 'timed_out', seen: 'no_answer', message: 'silent', remaining_ms: 0 }]);
  });
});
