import { OsdpOutputs } from './osdp-outputs.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeUpToMac, appendChecksum } from '@lintel/test/support/osdp-peripheral/osdp-frames';
import { type OsdpTestBench, waitUntil } from '../testing/osdp-test-bench.ts';
import { recordKeys, openPairedTestBench } from './paired-bench.test-support.ts';
import { requireProgram } from '@lintel/test/support/require-program';
import { requiredPython } from '@lintel/test/support/processes/pty';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

beforeEach(context => requireProgram(context, requiredPython));

const GARBAGE_PIECES = iterations({ sample: 8, all: 160 });

let bench: OsdpTestBench;
afterEach(() => bench.close());

describe('OsdpBus on a bad line', () => {
  const pressesThrough = async (): Promise<void> => {
    const keys = recordKeys(bench);
    bench.reader().press('42');
    await expect.poll(() => keys.join('')).toBe('42');
    expect(bench.peripheral().fault()).toBeNull();
  };

  const pressesThroughAgain = async (): Promise<void> => {
    await waitUntil('it is back', () => bench.peripheral().fault() === null);
    await pressesThrough();
  };

  it('reports a silent reader as absent and finds it again', async () => {
    bench = await openPairedTestBench();
    bench.reader().isSilent = true;
    await waitUntil('it is missed', () => bench.peripheral().fault()?.kind === 'absent');
    bench.reader().isSilent = false;
    await waitUntil('it is back', () => bench.peripheral().fault() === null);
    await pressesThrough();
  });

  it('ignores noise before, between and after frames', async () => {
    bench = await openPairedTestBench();
    bench.reader().modifyFrame = frame => [Buffer.from('ff00ff5381ff', 'hex'), frame, Buffer.from('53ff00e1', 'hex')];
    await pressesThrough();
  });

  it('ignores the echo of its own frames', async () => {
    bench = await openPairedTestBench();
    bench.pty.onBytes(bytes => void bench.pty.write(bytes).catch(() => undefined));
    await pressesThrough();
  });

  it('accepts a frame that arrives byte by byte', async () => {
    bench = await openPairedTestBench();
    bench.reader().modifyFrame = frame => Array.from(frame, byte => Buffer.of(byte));
    await pressesThrough();
  });

  it.each<[string, (frame: Buffer) => Buffer]>([
    ['with a wrong CRC', frame => Buffer.from(frame).fill(frame.at(-1)! ^ 0x10, frame.length - 1)],
    ['that is cut short', frame => frame.subarray(0, frame.length - 3)],
    ['that claims more than there is', frame => Buffer.from(frame).fill(frame[2]! + 40, 2, 3)],
  ])('repeats the command after a frame %s, and reports no event twice', async (_, damage) => {
    bench = await openPairedTestBench();
    let count = 0;
    bench.reader().modifyFrame = frame => [count++ % 4 === 0 ? damage(frame) : frame];
    const keys = recordKeys(bench);
    for (const key of '123456') bench.reader().press(key);
    await expect.poll(() => keys.join('')).toBe('123456');
    expect(bench.peripheral().fault()).toBeNull();
  });

  it('counts rejected, damaged and missing answers, but not those of an absent reader', {
    tags: ['slow'],
  }, async () => {
    bench = await openPairedTestBench();
    const { signal } = bench.peripheral();
    const nak = (frame: Buffer): Buffer => {
      const fields = { address: 1, isReply: true, sequence: frame[4]! & 3, usesCrc: true, securityBlock: null };
      return appendChecksum(encodeUpToMac({ ...fields, code: 0x41, data: Buffer.of(1) }));
    };
    /** Damages every second frame; the others keep the session alive. */
    const troubled = async (trouble: string, damage: (frame: Buffer) => readonly Buffer[]): Promise<void> => {
      let count = 0;
      bench.reader().modifyFrame = frame => (count++ % 2 === 0 ? damage(frame) : [frame]);
      await expect.poll(() => signal.readings().worst).toBe(trouble);
    };
    expect(signal.readings().broken).toBeLessThan(signal.readings().clean);
    await troubled('refused', frame => [nak(frame)]);
    await troubled('damaged', frame => [frame.subarray(0, frame.length - 1)]);
    await troubled('silent', () => []);
    bench.reader().modifyFrame = frame => [frame];
    await pressesThrough();
    bench.reader().isSilent = true;
    await waitUntil('it is missed', () => bench.peripheral().fault()?.kind === 'absent');
    const { broken } = signal.readings();
    let asked = 0;
    bench.pty.onBytes(() => asked++);
    await waitUntil('it was looked for in vain', () => asked > 2);
    expect(signal.readings().broken).toBe(broken);
  });

  it('ignores a key in a frame with a wrong MAC and starts a new session', async () => {
    bench = await openPairedTestBench();
    const keys = recordKeys(bench);
    let forged = 0;
    bench.reader().modifyFrame = frame => {
      const isEvent = frame[6] === 0x18 && frame[7] === 0x53 && forged++ === 0;
      if (!isEvent) return [frame];
      const changed = Buffer.from(frame.subarray(0, -2));
      changed[changed.length - 1]! ^= 1;
      return [appendChecksum(changed)];
    };
    bench.reader().press('9');
    await waitUntil('it was forged', () => forged > 0);
    await pressesThrough();
    expect(keys).toEqual(['4', '2']);
  });

  it('ignores a key in a replayed frame', async () => {
    bench = await openPairedTestBench();
    const keys = recordKeys(bench);
    bench.reader().press('5');
    await expect.poll(() => keys).toEqual(['5']);
    const recorded = bench.reader().sent.findLast(frame => frame[7] === 0x53)!;
    let played = 0;
    bench.reader().modifyFrame = frame =>
      // Replaces a reply with the same sequence number, so that only the MAC is wrong.
      (frame[4]! & 3) === (recorded[4]! & 3) && played++ === 0 ? [recorded] : [frame];
    await waitUntil('it was played', () => played > 0);
    await pressesThrough();
    expect(keys).toEqual(['5', '4', '2']);
  });

  it('ignores unencrypted frames from a paired reader', async () => {
    bench = await openPairedTestBench();
    const keys = recordKeys(bench);
    let planted = 0;
    bench.reader().modifyFrame = frame => {
      if (planted++ !== 0) return [frame];
      const data = Buffer.from([0, 2, 0x31, 0x32]);
      const fields = { address: 1, isReply: true, sequence: frame[4]! & 3, usesCrc: true, securityBlock: null };
      return [appendChecksum(encodeUpToMac({ ...fields, code: 0x53, data }))];
    };
    await waitUntil('it was planted', () => planted > 3);
    await pressesThrough();
    expect(keys).toEqual(['4', '2']);
  });

  it('does not suggest to pair again when another device answers for the reader', { tags: ['slow'] }, async () => {
    bench = await openPairedTestBench();
    const keys = recordKeys(bench);
    bench.reader().modifyFrame = frame => {
      const isGreeting = frame[5] === 0x45;
      const fields = { address: 1, isReply: true, sequence: frame[4]! & 3, usesCrc: true, securityBlock: null };
      return isGreeting
        ? [frame]
        : [appendChecksum(encodeUpToMac({ ...fields, code: 0x53, data: Buffer.from([0, 1, 0x31]) }))];
    };
    await expect.poll(() => bench.peripheral().fault()?.message).toMatch(/is impersonated by a device without its key/);
    expect(bench.peripheral().fault()?.message).not.toMatch(/delete|reset/);
    expect(keys).toEqual([]);
    bench.reader().modifyFrame = frame => [frame];
    await pressesThroughAgain();
  });

  it('distinguishes damaged answers from no answer', { tags: ['slow'] }, async () => {
    bench = await openPairedTestBench();
    bench.reader().modifyFrame = frame => [Buffer.from(frame).fill(frame.at(-1)! ^ 0x10, frame.length - 1)];
    await expect
      .poll(() => bench.peripheral().fault())
      .toMatchObject({ kind: 'broken', message: expect.stringMatching(/sends damaged responses: check termination/) });
    bench.reader().isSilent = true;
    await expect.poll(() => bench.peripheral().fault()?.message).toMatch(/does not respond/);
    bench.reader().isSilent = false;
    bench.reader().modifyFrame = frame => [frame];
    await pressesThroughAgain();
  });

  it('waits for a busy reader and reports a fault when it stays busy', { tags: ['slow'] }, async () => {
    bench = await openPairedTestBench();
    bench.reader().busyReplies = 3;
    await pressesThrough();
    bench.reader().busyReplies = 1_000;
    await expect.poll(() => bench.peripheral().fault()?.message).toMatch(/busy/);
    bench.reader().busyReplies = 0;
    await waitUntil('it is back', () => bench.peripheral().fault() === null);
  });

  it('starts a new session after a brown-out of the reader and sets its outputs again', async () => {
    bench = await openPairedTestBench();
    const outputs = new OsdpOutputs(bench.peripheral(), 0, { strike: { kind: 'output', number: 0 } });
    outputs.energize('strike', null);
    const { parts } = bench.reader();
    await expect.poll(() => parts.outputs[0]).toBe(true);
    parts.outputs[0] = false;
    bench.reader().restart();
    await expect.poll(() => parts.outputs[0]).toBe(true);
    await pressesThrough();
  });

  it('works again after garbage at full speed', async () => {
    bench = await openPairedTestBench();
    bench.reader().isSilent = true;
    const piece = Buffer.alloc(65_536);
    for (let at = 0; at < piece.length; at++) piece[at] = (at * 2_654_435_761) >>> 13;
    for (let at = 0; at < piece.length; at += 977) piece.set([0x53, 0x81, 0xff, 0x04], Math.min(at, piece.length - 4));
    for (let sent = 0; sent < GARBAGE_PIECES; sent++) await bench.pty.write(piece);
    bench.reader().isSilent = false;
    await waitUntil('it is back', () => bench.peripheral().fault() === null);
    await pressesThrough();
  });
});
