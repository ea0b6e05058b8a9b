import type { OpenedBus } from '../definition/context.ts';
import { hardwareBusSchema } from '../drivers.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OsdpReaderKeyFileStore } from './reader-key-file-store.ts';
import { requireLibosdp, startLibosdpPanel, startLibosdpPeripheral } from '@lintel/test/support/hardware/libosdp';
import { openTestBus } from '../testing/open-test-bus.ts';
import { SimulatedPeripheral } from '@lintel/test/support/osdp-peripheral/simulated-peripheral';
import { openPty } from '@lintel/test/support/processes/pty';

const KEY = Buffer.from('f0e1d2c3b4a5968778695a4b3c2d1e0f', 'hex');

beforeEach(context => requireLibosdp(context));

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of stop.toReversed()) await step();
  stop = [];
});

const startReader = async (key?: Buffer) => {
  const reader = await startLibosdpPeripheral(key);
  stop.push(reader.stop);
  return reader;
};

const openPanel = async (path: string, security: string, key?: Buffer): Promise<OpenedBus> => {
  const outputs = {
    green: { led: 'green' },
    buzzer: { buzzer: true },
    strike: { output: 0 },
    welcome: { text: 'Welcome' },
  };
  const exitOutputs = { exit_green: { led: 'green' }, exit_buzzer: { buzzer: true }, goodbye: { text: 'Goodbye' } };
  const readers = {
    reader: { address: 1, security, outputs, inputs: { contact: { input: 0 } } },
    exit: { address: 1, reader_number: 1, security, outputs: exitOutputs },
  };
  const bus = hardwareBusSchema.parse({ driver: 'osdp', port: { path }, baud_rate: 115_200, readers });
  const prepare = (dataDir: string): void => {
    if (key !== undefined) new OsdpReaderKeyFileStore(dataDir, 'bus').write(1, { bytes: key, confirmed: true });
  };
  const panel = await openTestBus(bus, { prepare });
  stop.push(panel.close);
  return panel;
};

describe('OSDP with a reader of libosdp', () => {
  it('pairs a new reader and encrypts with the key that it has sent', async () => {
    const reader = await startReader();
    const panel = await openPanel(reader.path, 'pair');
    await expect.poll(() => reader.commands('Keyset').length).toBe(1);
    await expect.poll(() => reader.isSecure()).toBe(true);
    await expect.poll(() => panel.outputs!.faultOf('strike')).toBeNull();
  });

  it('rejects a reader that has another key', async () => {
    const reader = await startReader(KEY);
    const panel = await openPanel(reader.path, 'paired', Buffer.alloc(16, 7));
    await expect.poll(() => panel.outputs!.faultOf('strike')).toMatch(/key/);
    expect(reader.commands('Output')).toEqual([]);
  });

  it('receives cards, keys and inputs', async () => {
    const reader = await startReader(KEY);
    const panel = await openPanel(reader.path, 'paired', KEY);
    const [cards, keys]: [string[], string[]] = [[], []];
    panel.readers!.get('reader')!.onCard(uid => cards.push(uid));
    panel.keypads!.get('reader')!.onKey(key => keys.push(key));
    await expect.poll(() => panel.outputs!.faultOf('strike')).toBeNull();
    const tapped: string[] = [];
    // A card that the reader reports at once lay there before, so every tap is of another card.
    const tapNextCard = (): number => {
      tapped.push(`04a1b2c3d4e5${(tapped.length + 1).toString(16).padStart(2, '0')}`);
      reader.tap(tapped.at(-1)!, 56);
      return cards.length;
    };
    await expect.poll(tapNextCard, { interval: 200 }).toBeGreaterThan(0);
    expect(tapped).toContain(cards[0]);
    reader.press('12\x7f\r');
    await expect.poll(() => keys).toEqual(['1', '2', '*', '#']);
    reader.setInputs(1, 0);
    await expect.poll(() => panel.inputs!.level('contact')).toBe('active');
    reader.setInputs(0, 0);
    await expect.poll(() => panel.inputs!.level('contact')).toBe('inactive');
  });

  it('controls LED, buzzer, output and text', async () => {
    const reader = await startReader(KEY);
    const { outputs } = await openPanel(reader.path, 'paired', KEY);
    await expect.poll(() => outputs!.faultOf('strike')).toBeNull();
    outputs!.energize('green', 2_000);
    outputs!.energize('buzzer', 300);
    outputs!.energize('strike', 1_500);
    outputs!.energize('welcome', null);
    await expect.poll(() => reader.commands('Text').at(-1)).toMatchObject({ data: 'Welcome', control_code: 1 });
    const last = (name: string) => reader.commands(name).at(-1);
    // Codes of the standard: a temporary color, a tone, and a relay that is on for a time. Times are in 100 ms.
    expect(last('LED')).toMatchObject({ temporary: true, control_code: 2, on_color: 2, timer_count: 20 });
    expect(last('Buzzer')).toMatchObject({ control_code: 2, on_count: 3, rep_count: 1 });
    expect(last('Output')).toMatchObject({ control_code: 5, output_no: 0, timer_count: 15 });
    outputs!.release('green');
    await expect.poll(() => last('LED')).toMatchObject({ temporary: false, on_color: 0 });
    outputs!.release('strike');
    await expect.poll(() => last('Output')).toMatchObject({ control_code: 1, output_no: 0 });
    expect(outputs!.faultOf('strike')).toBeNull();
  });
});

describe('OSDP with two readers of one peripheral of libosdp', () => {
  it('receives cards and keys of the second reader', async () => {
    const peripheral = await startReader(KEY);
    const panel = await openPanel(peripheral.path, 'paired', KEY);
    const received: string[] = [];
    for (const [name, reader] of panel.readers!) reader.onCard(() => received.push(`card at ${name}`));
    for (const [name, keypad] of panel.keypads!) keypad.onKey(key => received.push(`${key} at ${name}`));
    await expect.poll(() => panel.outputs!.faultOf('exit_green')).toBeNull();
    peripheral.press('7', 1);
    peripheral.press('8');
    await expect.poll(() => received).toEqual(['7 at exit', '8 at reader']);
    let taps = 0;
    const tapNextCard = (): string[] => {
      peripheral.tap(`04a1b2c3d4e5${(++taps).toString(16).padStart(2, '0')}`, 56, 1);
      return received;
    };
    await expect.poll(tapNextCard, { interval: 200 }).toContain('card at exit');
    expect(received).not.toContain('card at reader');
    expect(peripheral.messages.filter(({ is_secure }) => is_secure === true)).toHaveLength(1);
  });

  it('addresses LED, buzzer and text of the second reader', async () => {
    const peripheral = await startReader(KEY);
    const { outputs } = await openPanel(peripheral.path, 'paired', KEY);
    await expect.poll(() => outputs!.faultOf('exit_green')).toBeNull();
    outputs!.energize('exit_green', 2_000);
    outputs!.energize('exit_buzzer', 300);
    outputs!.energize('goodbye', null);
    const last = (name: string) => peripheral.commands(name).at(-1);
    await expect.poll(() => last('Text')).toMatchObject({ data: 'Goodbye', reader: 1 });
    expect(last('LED')).toMatchObject({ reader: 1, temporary: true, on_color: 2, timer_count: 20 });
    expect(last('Buzzer')).toMatchObject({ reader: 1, control_code: 2, on_count: 3 });
    outputs!.energize('welcome', null);
    await expect.poll(() => last('Text')).toMatchObject({ data: 'Welcome', reader: 0 });
  });
});

describe('Simulated OSDP reader with a panel of libosdp', () => {
  it('accepts its secure channel and commands, and its events are understood', async () => {
    const pty = await openPty();
    const write = (bytes: Buffer): void => void pty.write(bytes).catch(() => undefined);
    const reader = new SimulatedPeripheral({ address: 1, key: KEY, write });
    pty.onBytes(bytes => reader.receive(bytes));
    const panel = await startLibosdpPanel(pty.path, KEY);
    stop.push(() => pty.close(), panel.stop);
    await expect.poll(() => reader.hasSession).toBe(true);
    reader.tap(Buffer.from('04a1b2c3d4e5f6', 'hex'));
    reader.press('12', 1);
    const card = expect.objectContaining({ event: 'CardRead', reader_no: 0, length: 56, data: '04a1b2c3d4e5f6' });
    const data = Buffer.from('12').toString('hex');
    const keys = expect.objectContaining({ event: 'KeyPress', reader_no: 1, data });
    await expect.poll(() => panel.events).toEqual([card, keys]);
    panel.pulseOutput(0, 15);
    await expect.poll(() => reader.parts.outputs[0]).toBe(true);
    reader.parts.timers.advance(1_500);
    expect(reader.parts.outputs[0]).toBe(false);
    expect(reader.receivedCommands.at(-1)?.isEncrypted).toBe(true);
  });
});
