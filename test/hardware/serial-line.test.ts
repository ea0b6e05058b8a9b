import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ReopeningSerialLine } from '@lintel/device-runtime/adapters/serial-line/serial-line';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import { openFiles } from '@lintel/device-runtime/testing/open-files';
import { beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { openPty, Pty, pythonPart } from '../support/processes/pty.ts';

const waiting = { timeout: 5_000, interval: 10 };

const listen = (line: ReopeningSerialLine) => {
  const heard: Uint8Array[] = [];
  const faults: (PartFault | null)[] = [];
  line.onBytes(bytes => heard.push(bytes));
  line.onFault(fault => faults.push(fault));
  return { faults, heard: () => Buffer.concat(heard) };
};

const openTerminals = (): readonly string[] => openFiles().filter(path => path.startsWith('/dev/pts/'));

describe('a serial line over a real terminal', () => {
  beforeEach(context => requirePart(context, pythonPart));

  it('carries every byte value both ways, untouched by the terminal', async () => {
    const pty = await openPty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 9600 });
    const { heard } = listen(line);
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await line.write(all);
    await expect.poll(() => pty.received().length, waiting).toBe(256);
    expect(pty.received()).toEqual(Buffer.from(all));
    await pty.write(all);
    await expect.poll(() => heard().length, waiting).toBe(256);
    expect(heard()).toEqual(Buffer.from(all));
    await line.close();
    await pty.close();
  });

  it('tells within two seconds that it was unplugged, refuses to write, and heals on replug', async () => {
    const pty = await openPty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 9600 });
    const { heard, faults } = listen(line);
    await line.write(Uint8Array.of(1));
    const unplugged = performance.now();
    await pty.unplug();
    await expect.poll(() => faults.at(-1)?.kind, { timeout: 2_000, interval: 10 }).toBe('absent');
    expect(performance.now() - unplugged).toBeLessThan(2_000);
    expect(faults.at(-1)?.message).toBe(`${pty.path} is gone`);
    await expect(line.write(Uint8Array.of(2))).rejects.toThrow(pty.path);
    await pty.plugIn();
    await expect.poll(() => faults.at(-1), waiting).toBeNull();
    pty.forget();
    await line.write(Uint8Array.of(3));
    await expect.poll(() => [...pty.received()], waiting).toEqual([3]);
    await pty.write(Uint8Array.of(4));
    await expect.poll(() => [...heard()], waiting).toEqual([4]);
    await line.close();
    await pty.close();
  });

  it('says at the start that the port is not there, to whoever asks later too, and takes it when it comes', async () => {
    const pty = new Pty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 9600 });
    const first = listen(line);
    await expect.poll(() => first.faults.at(-1)?.kind, waiting).toBe('absent');
    expect(listen(line).faults.at(-1)?.message).toBe(`${pty.path} is not there`);
    await pty.plugIn();
    await expect.poll(() => first.faults.at(-1), waiting).toBeNull();
    await line.close();
    await pty.close();
  });

  it('has the port to itself', async () => {
    const pty = await openPty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 9600 });
    await line.write(Uint8Array.of(1));
    const second = new ReopeningSerialLine({ path: pty.path, baud_rate: 9600 });
    const { faults } = listen(second);
    await expect.poll(() => faults.at(-1)?.kind, waiting).toBe('absent');
    expect(faults.at(-1)?.message).toBe(`${pty.path} is open in another program: sudo fuser ${pty.path} shows which`);
    await line.close();
    await expect.poll(() => faults.at(-1), waiting).toBeNull();
    await second.close();
    await pty.close();
  });

  it('leaves nothing open behind, however often it is unplugged', async () => {
    const before = openTerminals();
    const pty = await openPty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 9600 });
    const { faults } = listen(line);
    await line.write(Uint8Array.of(1));
    for (let times = 0; times < 3; times++) {
      await pty.unplug();
      await expect.poll(() => faults.at(-1)?.kind, waiting).toBe('absent');
      await pty.plugIn();
      await expect.poll(() => faults.at(-1), waiting).toBeNull();
    }
    await line.close();
    await expect.poll(openTerminals, waiting).toEqual(before);
    await pty.close();
  });

  it('sends all of what does not fit at once, in order, also when its giver goes on using the bytes', async () => {
    const pty = await openPty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 115_200 });
    await line.write(new Uint8Array());
    const wanted = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    const given = wanted.slice();
    const sent = [line.write(given), line.write(Uint8Array.of(1, 2, 3))];
    given.fill(255);
    await Promise.all(sent);
    await expect.poll(() => pty.received().length, waiting).toBe(wanted.length + 3);
    expect(pty.received().equals(Buffer.from([...wanted, 1, 2, 3]))).toBe(true);
    await line.close();
    await pty.close();
  });

  it('refuses what nobody takes instead of keeping it', async () => {
    const stuck = { isOpen: true, listen: () => new Promise<never>(() => undefined), close: async () => undefined };
    const line = new ReopeningSerialLine({ path: '/dev/null', baud_rate: 9600 }, async () => ({
      ...stuck,
      write: () => new Promise<never>(() => undefined),
    }));
    let refused = 0;
    for (let index = 0; index < 10; index++) line.write(new Uint8Array(1_024)).catch(() => refused++);
    await expect.poll(() => refused, waiting).toBeGreaterThanOrEqual(5);
    await expect(line.write(new Uint8Array(4_096))).rejects.toThrow('too much');
  });

  it('reads ten megabytes of garbage without holding on to them or holding up everything else', async () => {
    const pty = await openPty();
    const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 115_200 });
    let count = 0;
    line.onBytes(bytes => {
      count += bytes.length;
    });
    await line.write(Uint8Array.of(0));
    const garbage = new Uint8Array(64 * 1_024).fill(0xa5);
    const before = process.memoryUsage().rss;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (let sent = 0; sent < 10 * 2 ** 20; sent += garbage.length) await pty.write(garbage);
    await expect.poll(() => count, { timeout: 20_000, interval: 20 }).toBe(10 * 2 ** 20);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
    expect(delay.max / 1e6).toBeLessThan(1_000);
    delay.disable();
    await line.close();
    await pty.close();
  }, 30_000);
});
