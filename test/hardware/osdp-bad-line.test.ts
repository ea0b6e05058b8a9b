import { OsdpOutputs } from '@lintel/device-runtime/adapters/osdp/osdp-outputs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beforeMac, closeFrame } from '../support/osdp-peripheral/line-code.ts';
import { type OsdpBench, until } from '../support/osdp-peripheral/osdp-bench.ts';
import { keysOf, openPaired, soon } from '../support/osdp-peripheral/osdp-scene.ts';
import { requirePart } from '../reporting/system-part.ts';
import { pythonPart } from '../support/processes/pty.ts';

beforeEach(context => requirePart(context, pythonPart));

let bench: OsdpBench;
afterEach(() => bench.close());

describe('a bad OSDP line', () => {
  const pressesThrough = async (): Promise<void> => {
    const keys = keysOf(bench);
    bench.reader().press('42');
    await expect.poll(() => keys.join(''), soon).toBe('42');
    expect(bench.peripheral().fault()).toBeNull();
  };

  const pressesThroughAgain = async (): Promise<void> => {
    await until('it is back', () => bench.peripheral().fault() === null);
    await pressesThrough();
  };

  it('misses a silent reader within 2 s, and finds it again', async () => {
    bench = await openPaired();
    const start = performance.now();
    bench.reader().isMute = true;
    await until('it is missed', () => bench.peripheral().fault()?.kind === 'absent');
    expect(performance.now() - start).toBeLessThan(2_000);
    bench.reader().isMute = false;
    await until('it is back', () => bench.peripheral().fault() === null);
    await pressesThrough();
  });

  it('hears a reader through noise before, between and after its frames', async () => {
    bench = await openPaired();
    bench.reader().tamperWith = frame => [Buffer.from('ff00ff5381ff', 'hex'), frame, Buffer.from('53ff00e1', 'hex')];
    await pressesThrough();
  });

  it('does not take its own words for an answer where the adapter echoes them', async () => {
    bench = await openPaired();
    bench.pty.onBytes(bytes => void bench.pty.write(bytes).catch(() => undefined));
    await pressesThrough();
  });

  it('hears a frame that comes byte by byte', async () => {
    bench = await openPaired();
    bench.reader().tamperWith = frame => Array.from(frame, byte => Buffer.of(byte));
    await pressesThrough();
  });

  it.each<[string, (frame: Buffer) => Buffer]>([
    ['with a wrong CRC', frame => Buffer.from(frame).fill(frame.at(-1)! ^ 0x10, frame.length - 1)],
    ['that is cut short', frame => frame.subarray(0, frame.length - 3)],
    ['that claims more than there is', frame => Buffer.from(frame).fill(frame[2]! + 40, 2, 3)],
  ])('asks again after a frame %s, and tells nothing twice', async (_, damage) => {
    bench = await openPaired();
    let count = 0;
    bench.reader().tamperWith = frame => [count++ % 4 === 0 ? damage(frame) : frame];
    const keys = keysOf(bench);
    for (const key of '123456') bench.reader().press(key);
    await expect.poll(() => keys.join(''), soon).toBe('123456');
    expect(bench.peripheral().fault()).toBeNull();
  });

  it('counts what the reader heard damaged, what came damaged and what was not answered, and not that it is away', async () => {
    bench = await openPaired();
    const { signal } = bench.peripheral();
    const nak = (frame: Buffer): Buffer => {
      const fields = { address: 1, isReply: true, sequence: frame[4]! & 3, usesCrc: true, securityBlock: null };
      return closeFrame(beforeMac({ ...fields, code: 0x41, data: Buffer.of(1) }));
    };
    /** Every second one, until it shows: the other ones keep the session alive. */
    const troubled = async (trouble: string, damage: (frame: Buffer) => readonly Buffer[]): Promise<void> => {
      let count = 0;
      bench.reader().tamperWith = frame => (count++ % 2 === 0 ? damage(frame) : [frame]);
      await expect.poll(() => signal.readings().worst, { timeout: 15_000 }).toBe(trouble);
    };
    expect(signal.readings().broken).toBeLessThan(signal.readings().clean);
    await troubled('refused', frame => [nak(frame)]);
    await troubled('damaged', frame => [frame.subarray(0, frame.length - 1)]);
    await troubled('silent', () => []);
    bench.reader().tamperWith = frame => [frame];
    await pressesThrough();
    bench.reader().isMute = true;
    await until('it is missed', () => bench.peripheral().fault()?.kind === 'absent');
    const { broken } = signal.readings();
    let asked = 0;
    bench.pty.onBytes(() => asked++);
    await until('it was looked for in vain', () => asked > 2);
    expect(signal.readings().broken).toBe(broken);
  }, 60_000);

  it('takes no key from a frame whose MAC is wrong, and makes a new session', async () => {
    bench = await openPaired();
    const keys = keysOf(bench);
    let forged = 0;
    bench.reader().tamperWith = frame => {
      const isEvent = frame[6] === 0x18 && frame[7] === 0x53 && forged++ === 0;
      if (!isEvent) return [frame];
      const changed = Buffer.from(frame.subarray(0, -2));
      changed[changed.length - 1]! ^= 1;
      return [closeFrame(changed)];
    };
    bench.reader().press('9');
    await until('it was forged', () => forged > 0);
    await pressesThrough();
    expect(keys).toEqual(['4', '2']);
  });

  it('takes no key from a frame that was heard before and is played again', async () => {
    bench = await openPaired();
    const keys = keysOf(bench);
    bench.reader().press('5');
    await expect.poll(() => keys, soon).toEqual(['5']);
    const recorded = bench.reader().sent.findLast(frame => frame[7] === 0x53)!;
    let played = 0;
    bench.reader().tamperWith = frame =>
      // In the place of an answer with the same number, so that nothing but the MAC gives it away.
      (frame[4]! & 3) === (recorded[4]! & 3) && played++ === 0 ? [recorded] : [frame];
    await until('it was played', () => played > 0);
    await pressesThrough();
    expect(keys).toEqual(['5', '4', '2']);
  });

  it('takes nothing in the clear from a reader that has a key', async () => {
    bench = await openPaired();
    const keys = keysOf(bench);
    let planted = 0;
    bench.reader().tamperWith = frame => {
      if (planted++ !== 0) return [frame];
      const data = Buffer.from([0, 2, 0x31, 0x32]);
      const fields = { address: 1, isReply: true, sequence: frame[4]! & 3, usesCrc: true, securityBlock: null };
      return [closeFrame(beforeMac({ ...fields, code: 0x53, data }))];
    };
    await until('it was planted', () => planted > 3);
    await pressesThrough();
    expect(keys).toEqual(['4', '2']);
  });

  it('does not advise to pair anew where somebody else speaks for the reader', async () => {
    bench = await openPaired();
    const keys = keysOf(bench);
    bench.reader().tamperWith = frame => {
      const isGreeting = frame[5] === 0x45;
      const fields = { address: 1, isReply: true, sequence: frame[4]! & 3, usesCrc: true, securityBlock: null };
      return isGreeting ? [frame] : [closeFrame(beforeMac({ ...fields, code: 0x53, data: Buffer.from([0, 1, 0x31]) }))];
    };
    await expect.poll(() => bench.peripheral().fault()?.message, soon).toMatch(/^somebody else answers for the reader/);
    expect(bench.peripheral().fault()?.message).not.toMatch(/delete|reset/);
    expect(keys).toEqual([]);
    bench.reader().tamperWith = frame => [frame];
    await pressesThroughAgain();
  });

  it('tells answers that all come damaged from no answer at all', async () => {
    bench = await openPaired();
    bench.reader().tamperWith = frame => [Buffer.from(frame).fill(frame.at(-1)! ^ 0x10, frame.length - 1)];
    await expect
      .poll(() => bench.peripheral().fault(), soon)
      .toMatchObject({ kind: 'broken', message: expect.stringMatching(/come damaged: look at termination/) });
    bench.reader().isMute = true;
    await expect.poll(() => bench.peripheral().fault()?.message, soon).toMatch(/does not answer/);
    bench.reader().isMute = false;
    bench.reader().tamperWith = frame => [frame];
    await pressesThroughAgain();
  });

  it('waits for a busy reader, and calls it broken when it stays busy', async () => {
    bench = await openPaired();
    bench.reader().busyAnswers = 3;
    await pressesThrough();
    bench.reader().busyAnswers = 1_000;
    await expect.poll(() => bench.peripheral().fault()?.message, soon).toMatch(/busy/);
    bench.reader().busyAnswers = 0;
    await until('it is back', () => bench.peripheral().fault() === null);
  });

  it('makes a new session after a brown-out of the reader, and puts its held lines right', async () => {
    bench = await openPaired();
    const outputs = new OsdpOutputs(bench.peripheral(), { strike: { kind: 'output', number: 0 } });
    outputs.energize('strike', null);
    const { parts } = bench.reader();
    await expect.poll(() => parts.outputs[0], soon).toBe(true);
    parts.outputs[0] = false;
    bench.reader().restart();
    await expect.poll(() => parts.outputs[0], soon).toBe(true);
    await pressesThrough();
  });

  it('survives garbage at full speed, and works when it is over', async () => {
    bench = await openPaired();
    bench.reader().isMute = true;
    const piece = Buffer.alloc(65_536);
    for (let at = 0; at < piece.length; at++) piece[at] = (at * 2_654_435_761) >>> 13;
    for (let at = 0; at < piece.length; at += 977) piece.set([0x53, 0x81, 0xff, 0x04], Math.min(at, piece.length - 4));
    const before = process.memoryUsage().rss;
    for (let sent = 0; sent < 160; sent++) await bench.pty.write(piece);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    bench.reader().isMute = false;
    await until('it is back', () => bench.peripheral().fault() === null);
    await pressesThrough();
  });
});
