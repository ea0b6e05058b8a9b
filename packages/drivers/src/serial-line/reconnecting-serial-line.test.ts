import { ReconnectingSerialLine } from './reconnecting-serial-line.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { listOpenFiles } from '@lintel/test/support/list-open-files';
import { beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { openPty, Pty, requiredPython } from '@lintel/test/support/processes/pty';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const GARBAGE_BYTES = iterations({ sample: 2 ** 20, all: 10 * 2 ** 20 });

const listen = (line: ReconnectingSerialLine) => {
  const received: Uint8Array[] = [];
  const faults: (PartFault | null)[] = [];
  line.onBytes(bytes => received.push(bytes));
  line.onFault(fault => faults.push(fault));
  return { faults, received: () => Buffer.concat(received) };
};

const openTerminals = (): readonly string[] => listOpenFiles().filter(path => path.startsWith('/dev/pts/'));

describe('ReconnectingSerialLine', () => {
  beforeEach(context => requireProgram(context, requiredPython));

  it('carries every byte value in both directions unchanged', async () => {
    const pty = await openPty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
    const { received } = listen(line);
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await line.write(all);
    await expect.poll(() => pty.received().length).toBe(256);
    expect(pty.received()).toEqual(Buffer.from(all));
    await pty.write(all);
    await expect.poll(() => received().length).toBe(256);
    expect(received()).toEqual(Buffer.from(all));
    await line.close();
    await pty.close();
  });

  it('reports that it was unplugged, rejects writes, and recovers when plugged in', async () => {
    const pty = await openPty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
    const { received, faults } = listen(line);
    await line.write(Uint8Array.of(1));
    await pty.unplug();
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    expect(faults.at(-1)?.message).toBe(`${pty.path} was disconnected`);
    await expect(line.write(Uint8Array.of(2))).rejects.toThrow(pty.path);
    await pty.plugIn();
    await expect.poll(() => faults.at(-1)).toBeNull();
    pty.forget();
    await line.write(Uint8Array.of(3));
    await expect.poll(() => [...pty.received()]).toEqual([3]);
    await pty.write(Uint8Array.of(4));
    await expect.poll(() => [...received()]).toEqual([4]);
    await line.close();
    await pty.close();
  });

  it('reports a missing port to early and late listeners, and opens it when it appears', async () => {
    const pty = new Pty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
    const first = listen(line);
    await expect.poll(() => first.faults.at(-1)?.kind).toBe('absent');
    expect(listen(line).faults.at(-1)?.message).toBe(`${pty.path} does not exist`);
    await pty.plugIn();
    await expect.poll(() => first.faults.at(-1)).toBeNull();
    await line.close();
    await pty.close();
  });

  it('opens the port exclusively', async () => {
    const pty = await openPty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
    await line.write(Uint8Array.of(1));
    const second = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
    const { faults } = listen(second);
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    expect(faults.at(-1)?.message).toBe(`${pty.path} is open in another program: sudo fuser ${pty.path} shows which`);
    await line.close();
    await expect.poll(() => faults.at(-1)).toBeNull();
    await second.close();
    await pty.close();
  });

  it('leaks no file descriptor when unplugged repeatedly', { tags: ['slow'] }, async () => {
    const before = openTerminals();
    const pty = await openPty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
    const { faults } = listen(line);
    await line.write(Uint8Array.of(1));
    for (let times = 0; times < 3; times++) {
      await pty.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      await pty.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
    }
    await line.close();
    await expect.poll(openTerminals).toEqual(before);
    await pty.close();
  });

  it('sends large writes completely and in order, though the caller reuses the buffer', async () => {
    const pty = await openPty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 115_200 });
    await line.write(new Uint8Array());
    const expected = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    const given = expected.slice();
    const sent = [line.write(given), line.write(Uint8Array.of(1, 2, 3))];
    given.fill(255);
    await Promise.all(sent);
    await expect.poll(() => pty.received().length).toBe(expected.length + 3);
    expect(pty.received().equals(Buffer.from([...expected, 1, 2, 3]))).toBe(true);
    await line.close();
    await pty.close();
  });

  it('rejects writes when too many are pending', async () => {
    const stuck = { isOpen: true, listen: () => new Promise<never>(() => undefined), close: async () => undefined };
    const line = new ReconnectingSerialLine({ path: '/dev/null', baud_rate: 9600 }, async () => ({
      ...stuck,
      write: () => new Promise<never>(() => undefined),
    }));
    let refused = 0;
    for (let index = 0; index < 10; index++) line.write(new Uint8Array(1_024)).catch(() => refused++);
    await expect.poll(() => refused).toBeGreaterThanOrEqual(5);
    await expect(line.write(new Uint8Array(4_096))).rejects.toThrow('The write queue is full');
  });

  it('delivers continuous data in small pieces, between other work of the event loop', async () => {
    const pty = await openPty();
    const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 115_200 });
    let [count, largest] = [0, 0];
    line.onBytes(bytes => {
      count += bytes.length;
      largest = Math.max(largest, bytes.length);
    });
    await line.write(Uint8Array.of(0));
    const garbage = new Uint8Array(64 * 1_024).fill(0xa5);
    for (let sent = 0; sent < GARBAGE_BYTES; sent += garbage.length) await pty.write(garbage);
    await expect.poll(() => count).toBe(GARBAGE_BYTES);
    expect(largest).toBeLessThanOrEqual(64 * 1_024);
    await line.close();
    await pty.close();
  });
});
