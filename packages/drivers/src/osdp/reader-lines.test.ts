import { OsdpInputs } from './osdp-inputs.ts';
import { OsdpOutputs } from './osdp-outputs.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type OsdpTestBench,
  type OsdpTestBenchReader,
  openOsdpTestBench,
  waitUntil,
} from '../testing/osdp-test-bench.ts';
import { recordCards, recordKeys } from './paired-bench.test-support.ts';
import { requireProgram } from '@lintel/test/support/require-program';
import { requiredPython } from '@lintel/test/support/processes/pty';

beforeEach(context => requireProgram(context, requiredPython));

let bench: OsdpTestBench;
afterEach(() => bench.close());

const open = async (...readers: readonly OsdpTestBenchReader[]): Promise<OsdpTestBench> => {
  bench = await openOsdpTestBench(...readers);
  return bench;
};

describe('OSDP reader parts', () => {
  it('control LED colors, pulses, buzzer and text, and are off after a disconnection', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, {
      green: { kind: 'led', color: 'green' },
      red: { kind: 'led', color: 'red' },
      buzzer: { kind: 'buzzer' },
    });
    await bench.ready();
    const { parts } = bench.reader();
    outputs.energize('red', null);
    await expect.poll(() => parts.color(0, 0)).toBe(1);
    outputs.energize('green', 2_000);
    outputs.energize('buzzer', 300);
    await expect.poll(() => [parts.color(0, 0), parts.isBuzzing()]).toEqual([2, true]);
    parts.timers.advance(300);
    expect(parts.isBuzzing()).toBe(false);
    parts.timers.advance(1_700);
    expect(parts.color(0, 0)).toBe(1);
    outputs.energize('green', null);
    await expect.poll(() => parts.color(0, 0)).toBe(2);
    outputs.release('green');
    await expect.poll(() => parts.color(0, 0)).toBe(1);
    outputs.energize('buzzer', null);
    await expect.poll(() => parts.isBuzzing()).toBe(true);
    await bench.unplug();
    expect(() => outputs.release('red')).toThrow(/address 1|line/);
    await bench.plugIn();
    await expect.poll(() => [parts.color(0, 0), parts.isBuzzing()]).toEqual([0, true]);
  });

  it('control the second LED apart from the first', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, {
      green: { kind: 'led', color: 'green' },
      second: { kind: 'led', color: 'blue', led: 1 },
    });
    await bench.ready();
    const { parts } = bench.reader();
    outputs.energize('green', null);
    outputs.energize('second', null);
    await expect.poll(() => [parts.color(0, 0), parts.color(0, 1)]).toEqual([2, 4]);
    outputs.release('green');
    await expect.poll(() => [parts.color(0, 0), parts.color(0, 1)]).toEqual([0, 4]);
  });

  it('show a text while its output is on, and report a reader without a display', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, { welcome: { kind: 'text', text: 'Welcome' } });
    const faults: string[] = [];
    outputs.onFault((fault, part) => faults.push(`${part}: ${fault?.message ?? 'ok'}`));
    await bench.ready();
    const { parts } = bench.reader();
    outputs.energize('welcome', null);
    await expect.poll(() => parts.text()).toBe('Welcome');
    outputs.release('welcome');
    await expect.poll(() => parts.text()).toBe(' '.repeat(7));
    bench.reader().refusals.set(0x6b, 3);
    outputs.energize('welcome', 1_500);
    await expect.poll(() => faults.at(-1)).toBe('text: Reader at address 1 does not show texts');
    bench.reader().refusals.clear();
    outputs.energize('welcome', 1_500);
    await expect.poll(() => faults.at(-1)).toBe('text: ok');
  });

  it('report when the reader rejects an output command and when it accepts one again', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, {
      strike: { kind: 'output', number: 0 },
      missing: { kind: 'output', number: 9 },
    });
    const faults: (string | undefined)[] = [];
    outputs.onFault(fault => faults.push(fault?.kind));
    await expect.poll(() => faults).toEqual(['broken']);
    outputs.energize('strike', null);
    await expect.poll(() => bench.reader().parts.outputs[0]).toBe(true);
    await expect.poll(() => faults).toEqual(['broken', undefined]);
  });

  it('receive held states as soon as the reader is online, without a fault before', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, {
      strike: { kind: 'output', number: 0 },
      light: { kind: 'output', number: 1 },
    });
    const faults: (string | undefined)[] = [];
    outputs.onFault(fault => faults.push(fault?.message));
    outputs.release('strike');
    outputs.energize('light', null);
    expect(outputs.faultOf('strike')).toBe('Reader at address 1 has not responded yet');
    await bench.ready();
    await expect.poll(() => bench.reader().parts.outputs[1]).toBe(true);
    expect([bench.reader().parts.outputs[0], outputs.faultOf('strike'), faults]).toEqual([false, null, []]);
  });

  it('report a pulse that was sent too early, and its end', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, { strike: { kind: 'output', number: 0 } });
    const faults: (string | undefined)[] = [];
    outputs.onFault(fault => faults.push(fault?.kind));
    expect(() => outputs.energize('strike', 500)).toThrow('has not responded yet');
    await bench.ready();
    expect(faults).toEqual(['absent', undefined]);
    expect(bench.reader().parts.outputs[0]).toBe(false);
  });

  it('do not leave a relay on after a pulse that replaced a held state', async () => {
    await open({ address: 1, security: 'pair' });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, { strike: { kind: 'output', number: 2 } });
    await bench.ready();
    const { parts } = bench.reader();
    outputs.energize('strike', null);
    await expect.poll(() => parts.outputs[2]).toBe(true);
    outputs.energize('strike', 250);
    await bench.idle();
    parts.timers.advance(299);
    expect(parts.outputs[2]).toBe(true);
    parts.timers.advance(1);
    expect(parts.outputs[2]).toBe(false);
  });

  it('check the parity of Wiegand numbers and report a card that stays only once', async () => {
    await open({ address: 1, security: 'pair' });
    const uids = recordCards(bench);
    let connections = 0;
    bench.peripheral().onReady(() => connections++);
    await bench.ready();
    const bits = (text: string): Buffer =>
      Buffer.from(text.match(/.{1,8}/g)!.map(byte => Number.parseInt(byte.padEnd(8, '0'), 2)));
    // Facility 123, card 4567: 01111011 00010001 11010111 between its parity bits.
    const right = '10111101100010001110101110';
    const wrong = '00111101100010001110101110';
    for (let times = 0; times < 100; times++) bench.reader().tap(bits(right), 26, 1);
    bench.reader().tap(bits(wrong), 26, 1);
    bench.reader().queueEvent({ code: 0x51, data: Buffer.from('\u0000\u0001\u0008807060A0', 'ascii') });
    await waitUntil('the reader has sent all events', () => bench.reader().isIdle);
    await bench.idle();
    expect([...new Set(uids)]).toEqual(['007b11d7', '0a060708']);
    // On a busy machine the panel may lose the reader for a moment. The card then counts as presented again.
    expect(uids.length).toBeLessThanOrEqual(1 + connections);
    expect(bench.logged.filter(line => line.includes('Card misread'))).toEqual([
      'warn Card misread: parity error {"address":1,"reader_number":0,"bits":26}',
    ]);
  });

  it('report supervised inputs, tamper and power, and still lock while the housing is open', async () => {
    await open({ address: 1, security: 'pair' });
    const inputs = new OsdpInputs(bench.peripheral(), {
      exit: { kind: 'input', number: 1, active_when: 'clear' },
      far: { kind: 'input', number: 9 },
      tamper: { kind: 'tamper' },
      battery: { kind: 'power_failed' },
    });
    const outputs = new OsdpOutputs(bench.peripheral(), 0, { strike: { kind: 'output', number: 0 } });
    await bench.ready();
    await bench.idle();
    const levels = () => ['exit', 'far', 'tamper', 'battery'].map(input => inputs.level(input));
    expect(levels()).toEqual(['active', 'unknown', 'inactive', 'inactive']);
    bench.reader().setInput(1, 1);
    await expect.poll(levels).toEqual(['inactive', 'unknown', 'inactive', 'inactive']);
    bench.reader().setInput(1, 2);
    bench.reader().setTamper(true);
    await expect.poll(levels).toEqual(['unknown', 'unknown', 'active', 'inactive']);
    expect(bench.peripheral().fault()?.kind).toBe('tampered');
    outputs.energize('strike', null);
    await expect.poll(() => bench.reader().parts.outputs[0]).toBe(true);
    outputs.release('strike');
    await expect.poll(() => bench.reader().parts.outputs[0]).toBe(false);
    bench.reader().setTamper(false);
    await expect.poll(() => bench.peripheral().fault()).toBeNull();
  });

  it('accept an authentic reply in another block type without a new session', async () => {
    await open({ address: 1, security: 'pair' });
    const inputs = new OsdpInputs(bench.peripheral(), { tamper: { kind: 'tamper' } });
    bench.reader().usesCommandBlock = true;
    let sessions = 0;
    bench.peripheral().onReady(() => sessions++);
    await bench.ready();
    await expect.poll(() => inputs.level('tamper')).toBe('inactive');
    await bench.idle();
    expect([sessions, bench.peripheral().fault()]).toEqual([1, null]);
  });

  it('report unknown contacts as a fault, and ask again after a refusal', async () => {
    await open({ address: 1, security: 'pair' });
    const inputs = new OsdpInputs(bench.peripheral(), { exit: { kind: 'input', number: 1 } });
    const faults: (string | undefined)[] = [];
    inputs.onFault(fault => faults.push(fault?.message));
    const [temporary, unknownCommand] = [2, 3];
    bench.reader().refusals.set(0x65, temporary);
    await expect.poll(() => faults).toEqual(['Reader at address 1 does not report its inputs']);
    expect(inputs.level('exit')).toBe('unknown');
    bench.reader().refusals.clear();
    await expect.poll(() => inputs.level('exit')).toBe('inactive');
    expect(faults.at(-1)).toBeUndefined();
    bench.reader().refusals.set(0x65, unknownCommand);
    await expect.poll(() => faults.at(-1)).toBe('Reader at address 1 does not report its inputs');
    bench.reader().refusals.clear();
    bench.reader().restart();
    await expect.poll(() => inputs.level('exit')).toBe('inactive');
  });

  it('notice a restarted reader by its answer with a new sequence', async () => {
    await open({ address: 1, security: 'pair' });
    const faults: (string | undefined)[] = [];
    bench.peripheral().onFault(fault => faults.push(fault?.message));
    await bench.ready();
    bench.reader().restartsSequence = true;
    bench.reader().restart();
    await bench.ready();
    expect(faults).toEqual([]);
  });

  it('work on several readers of one line while one of them is silent', { tags: ['slow'] }, async () => {
    await open(
      { address: 1, security: 'pair' },
      { address: 2, security: 'plain', crc: false },
      { address: 3, security: 'pair' },
    );
    await bench.ready(1);
    await bench.ready(2);
    const keys = [recordKeys(bench, 1), recordKeys(bench, 2)];
    bench.reader(3).isSilent = true;
    await waitUntil('it is missed', () => bench.peripheral(3).fault()?.kind === 'absent');
    bench.reader(1).press('11');
    bench.reader(2).press('2#');
    await expect
      .poll(() => keys)
      .toEqual([
        ['1', '1'],
        ['2', '#'],
      ]);
    expect([bench.peripheral(1).fault(), bench.peripheral(2).fault()]).toEqual([null, null]);
    bench.reader(3).isSilent = false;
    await expect.poll(() => bench.peripheral(3).fault()).toBeNull();
    expect(bench.peripheral(2).identity()).toMatchObject({ vendor: '000ee3', serial: 0x12345678, firmware: '3.4.5' });
  });
});
