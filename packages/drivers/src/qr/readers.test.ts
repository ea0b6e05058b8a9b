import { formatMagicLinkUrl } from '@lintel/wire-protocol/guest/magic-link-url';
import { describe, expect, it, type TestContext } from 'vitest';
import { KeyboardQrReader, type QrReaderBase, SerialQrReader } from './readers.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { requireProgram } from '@lintel/test/support/require-program';
import { openInputPipe } from '@lintel/test/support/hardware/test-keyboard-devices';
import { inputRecord } from '@lintel/test/support/hardware/evdev-input-records';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';
import { VirtualClock } from '@lintel/test/support/virtual-clock';

const token = 'q7Ns2xRkT0aYpZ-_4mWcVbL9eHfJdGuQ1oIySxK3nE8';
const other = 'A7Ns2xRkT0aYpZ-_4mWcVbL9eHfJdGuQ1oIySxK3nE8';
const linkOf = (secret: string) => formatMagicLinkUrl('https://doors.example.com:8443', secret);

/** After this, a code was not in view when the reader started. */
const AFTER_START_MS = 1_001;

interface QrBench {
  readonly clock: VirtualClock;
  readonly reader: QrReaderBase;
  readonly tokens: string[];
  /** Sends the text of a code and the end of the line. Resolves when the driver has read it. */
  send(text: string): Promise<void>;
  /** Sends a text without its end. */
  sendUnfinished(text: string): Promise<void>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

const collectTokens = (reader: QrReaderBase): string[] => {
  const tokens: string[] = [];
  reader.onMagicLink(read => tokens.push(read));
  return tokens;
};

const openSerialBench = async (context: TestContext): Promise<QrBench> => {
  requireProgram(context, requiredPython);
  const pty = await openPty();
  const clock = new VirtualClock();
  const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9_600 });
  const reader = new SerialQrReader({ line, clock });
  // Opening the port discards earlier bytes.
  await line.write(Uint8Array.of(0));
  let received = 0;
  line.onBytes(bytes => (received += bytes.length));
  const sendUnfinished = async (text: string): Promise<void> => {
    const expected = received + text.length;
    await pty.write(Buffer.from(text, 'latin1'));
    await expect.poll(() => received, { interval: 5 }).toBe(expected);
  };
  const close = async (): Promise<void> => {
    await reader.close();
    await pty.close();
  };
  return {
    clock,
    reader,
    tokens: collectTokens(reader),
    send: text => sendUnfinished(`${text}\r\n`),
    sendUnfinished,
    unplug: () => pty.unplug(),
    plugIn: () => pty.plugIn(),
    close,
  };
};

/* Key codes of a US keyboard, written independently of the table in the driver. */
const keys: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Array.from('1234567890-', (character, index) => [character, index + 2])),
  ...Object.fromEntries(Array.from('qwertyuiop', (character, index) => [character, index + 16])),
  ...Object.fromEntries(Array.from('asdfghjkl', (character, index) => [character, index + 30])),
  ...Object.fromEntries(Array.from('zxcvbnm', (character, index) => [character, index + 44])),
  ';': 39,
  '.': 52,
  '/': 53,
  ' ': 57,
};
const shiftedKeys: Readonly<Record<string, string>> = { ':': ';', _: '-' };
const [ENTER, LEFT_SHIFT] = [28, 42];

const press = (code: number): Buffer[] => [inputRecord(1, code, 1), inputRecord(0, 0, 0), inputRecord(1, code, 0)];

const typed = (character: string): Buffer[] => {
  const code = keys[character];
  if (code !== undefined) return press(code);
  const base = keys[shiftedKeys[character] ?? character.toLowerCase()]!;
  return [inputRecord(1, LEFT_SHIFT, 1), ...press(base), inputRecord(1, LEFT_SHIFT, 0)];
};

const openKeyboardBench = async (): Promise<QrBench> => {
  const device = openInputPipe();
  const clock = new VirtualClock();
  const reader = new KeyboardQrReader({ path: device.path, clock, calls: device.calls });
  // Opens the device again after it was unplugged.
  const running = setInterval(() => clock.advance(1), 5);
  const write = async (records: readonly Buffer[]): Promise<void> => {
    const expected = device.bytesRead() + Buffer.concat(records).length;
    device.write(Buffer.concat(records));
    await expect.poll(device.bytesRead).toBe(expected);
  };
  const close = async (): Promise<void> => {
    clearInterval(running);
    reader.close();
    await device.close();
  };
  return {
    clock,
    reader,
    tokens: collectTokens(reader),
    send: text => write([...Array.from(text).flatMap(typed), ...press(ENTER)]),
    sendUnfinished: text => write(Array.from(text).flatMap(typed)),
    unplug: device.unplug,
    plugIn: device.plugIn,
    close,
  };
};

describe.each([
  ['SerialQrReader', openSerialBench],
  ['KeyboardQrReader', openKeyboardBench],
] as const)('%s', (_, open) => {
  it('reports the token of a magic link, once while the code stays in view', async context => {
    const bench = await open(context);
    bench.clock.advance(AFTER_START_MS);
    await bench.send(linkOf(token));
    await bench.send(linkOf(token));
    await bench.send(other);
    await expect.poll(() => bench.tokens).toEqual([token, other]);
    bench.clock.advance(AFTER_START_MS);
    await bench.send(linkOf(token));
    await expect.poll(() => bench.tokens).toEqual([token, other, token]);
    expect(bench.reader.signal().line).toMatchObject({ clean: 4, broken: 0 });
    await bench.close();
  });

  it('ignores a code that was in view when it started', async context => {
    const bench = await open(context);
    await bench.send(linkOf(token));
    expect(bench.tokens).toEqual([]);
    bench.clock.advance(AFTER_START_MS);
    await bench.send(linkOf(token));
    await expect.poll(() => bench.tokens).toEqual([token]);
    await bench.close();
  });

  it('ignores other codes, and counts texts that are too long or damaged', async context => {
    const bench = await open(context);
    bench.clock.advance(AFTER_START_MS);
    await bench.send('https://example.com/menu');
    expect(bench.reader.signal().line).toMatchObject({ clean: 1, broken: 0 });
    await bench.send(`${'a'.repeat(401)}${linkOf(token)}`);
    await bench.send(`see ${linkOf(token)}`);
    await expect.poll(() => bench.reader.signal().line?.broken).toBe(2);
    expect(bench.tokens).toEqual([]);
    await bench.close();
  });

  it('does not join an unfinished text with the next one', async context => {
    const bench = await open(context);
    bench.clock.advance(AFTER_START_MS);
    await bench.sendUnfinished(linkOf('').slice(0, 20));
    bench.clock.advance(AFTER_START_MS);
    await bench.send(linkOf(token));
    await expect.poll(() => bench.tokens).toEqual([token]);
    await bench.close();
  });

  it('reports when it is unplugged and plugged in again, and then reads codes', async context => {
    const bench = await open(context);
    const faults: (PartFault | null)[] = [];
    bench.reader.onFault(fault => faults.push(fault));
    await bench.unplug();
    const advancing = setInterval(() => bench.clock.advance(20), 5);
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    await bench.plugIn();
    await expect.poll(() => faults.at(-1)).toBeNull();
    clearInterval(advancing);
    bench.clock.advance(AFTER_START_MS);
    await bench.send(linkOf(token));
    await expect.poll(() => bench.tokens).toEqual([token]);
    await bench.close();
  });
});

describe('SerialQrReader', () => {
  it('reads a code after a text that was too long, however its bytes arrive', async context => {
    for (const parts of [
      ['a'.repeat(401), '\r\n'],
      ['a'.repeat(401), 'a\r', '\n'],
      ['a'.repeat(402), 'a', '\n'],
    ]) {
      const bench = await openSerialBench(context);
      bench.clock.advance(AFTER_START_MS);
      for (const part of parts) await bench.sendUnfinished(part);
      await bench.send(linkOf(token));
      await expect.poll(() => bench.tokens).toEqual([token]);
      expect(bench.reader.signal().line).toMatchObject({ clean: 1, broken: 1 });
      await bench.close();
    }
  });
});
