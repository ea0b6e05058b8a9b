import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeAesCipher } from './aes.ts';
import {
  type OsdpBusEffect,
  type OsdpBusInput,
  type OsdpBusSetup,
  type OsdpBusState,
  nextOsdpBusDeadline,
  stepOsdpBus,
} from './bus-state-machine.ts';
import { encodeOsdpPacket, type ReceivedOsdpPacket } from './packet.ts';
import { OsdpPacketStream } from './packet-stream.ts';
import { createOsdpAddressProbe } from './address-probe.ts';
import { createInitialOsdpPeripheralState, type OsdpSecurityMode } from './peripheral-state-types.ts';
import type { OsdpReaderKey } from './reader-key-store-interface.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const start = monotonic(5_000);
const absent = { kind: 'absent', message: 'unplugged' } as const;
const paired: OsdpReaderKey = { bytes: new Uint8Array(16).fill(7), confirmed: true };

const setupOf = (
  addresses: readonly number[],
  security: OsdpSecurityMode,
  key: OsdpReaderKey | null = null,
): OsdpBusSetup => ({
  byte_ms: 10_000 / 9_600,
  peripherals: addresses.map(address => ({
    address,
    security,
    crc: true,
    aes: nodeAesCipher,
    random: count => new Uint8Array(count).fill(9),
    key_store: { place: `reader-${address}.key`, read: () => key },
  })),
});

const initial = (setup: OsdpBusSetup): OsdpBusState => ({
  peripherals: setup.peripherals.map(() => createInitialOsdpPeripheralState(start)),
  waiting: null,
  probe: createOsdpAddressProbe(setup.peripherals, start),
  line_up: true,
  after_silence: false,
});

const IDENTITY = [0, 14, 227, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const answers: Readonly<Record<number, { readonly id: number; readonly data: readonly number[] }>> = {
  0x61: { id: 0x45, data: IDENTITY },
  0x62: { id: 0x46, data: [1, 1, 2] },
};

const answerTo = ({ address, sequence, id }: ReceivedOsdpPacket): ReceivedOsdpPacket => {
  const { id: reply, data } = answers[id] ?? { id: 0x40, data: [] };
  const packet = {
    address,
    sequence,
    crc: true,
    from_peripheral: true,
    security: null,
    id: reply,
    data: Uint8Array.from(data),
  };
  return new OsdpPacketStream().take(encodeOsdpPacket(packet, () => new Uint8Array()))[0]!;
};

/** Readers that respond unencrypted and at once, unless they are silent. */
class Line {
  readonly reported: {
    readonly at: MonotonicTime;
    readonly effect: Extract<OsdpBusEffect, { type: 'peripheral_effect' }>;
  }[] = [];
  readonly heard: { readonly at: MonotonicTime; readonly address: number; readonly id: number }[] = [];
  readonly silent = new Set<number>();
  readonly #setup: OsdpBusSetup;
  state: OsdpBusState;
  now = start;

  constructor(setup: OsdpBusSetup) {
    this.#setup = setup;
    this.state = initial(setup);
  }

  input(input: OsdpBusInput): void {
    const { state, effects } = stepOsdpBus(this.#setup, this.state, input, this.now);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === 'peripheral_effect') this.reported.push({ at: this.now, effect });
      else this.#asked(new OsdpPacketStream().take(effect.bytes)[0]!);
    }
  }

  #asked(command: ReceivedOsdpPacket): void {
    this.heard.push({ at: this.now, address: command.address, id: command.id });
    if (!this.silent.has(command.address)) this.input({ type: 'packet', packet: answerTo(command) });
  }

  pass(milliseconds: number): void {
    const end = addMilliseconds(this.now, milliseconds);
    for (
      let at = nextOsdpBusDeadline(this.state, this.now);
      at !== null && at <= end;
      at = nextOsdpBusDeadline(this.state, this.now)
    ) {
      this.now = monotonic(Math.max(at, this.now));
      this.input({ type: 'timer', has_heard_damage: false });
    }
    this.now = end;
  }

  faults(): readonly (string | undefined)[] {
    return this.state.peripherals.map(({ fault }) => fault?.kind);
  }
}

const eight = [0, 1, 2, 3, 4, 5, 6, 7];

describe('OSDP bus of eight readers', () => {
  it('polls each reader every 50 ms', () => {
    const line = new Line(setupOf(eight, 'plain'));
    line.pass(1_000);
    expect(line.state.peripherals.every(({ online }) => online)).toBe(true);
    line.heard.length = 0;
    line.pass(1_000);
    for (const address of eight) {
      const turns = line.heard.filter(one => one.address === address).length;
      expect(turns).toBeGreaterThanOrEqual(18);
      expect(turns).toBeLessThanOrEqual(24);
    }
  });

  it('reports all readers as missing within 2 s when the line is cut behind the adapter', () => {
    const line = new Line(setupOf(eight, 'plain'));
    line.pass(1_000);
    for (const address of eight) line.silent.add(address);
    line.pass(2_000);
    expect(line.faults()).toEqual(eight.map(() => 'absent'));
  });

  it('keeps polling responding readers between retries of the others, and finds those again', () => {
    const line = new Line(setupOf(eight, 'plain'));
    line.pass(1_000);
    for (const address of eight.slice(1)) line.silent.add(address);
    line.pass(5_000);
    const turns = line.heard.filter(({ address }) => address === 0).map(({ at }) => at);
    const gaps = turns.slice(1).map((at, place) => at - turns[place]!);
    expect(Math.max(...gaps)).toBeLessThan(500);
    line.silent.clear();
    line.pass(2_000);
    expect(line.faults()).toEqual(eight.map(() => undefined));
  });

  it('sends nothing while the line is closed, and starts over when it is back', () => {
    const line = new Line(setupOf(eight, 'plain'));
    line.pass(1_000);
    line.input({ type: 'line', fault: absent });
    expect(line.faults()).toEqual(eight.map(() => 'absent'));
    line.heard.length = 0;
    line.pass(10_000);
    expect(line.heard).toEqual([]);
    line.input({ type: 'line', fault: null });
    line.pass(1_000);
    expect(line.faults()).toEqual(eight.map(() => undefined));
    expect(line.heard[0]).toMatchObject({ id: 0x61 });
  });

  it('sends a command at once, and drops it for a reader that comes back later', () => {
    const line = new Line(setupOf([4], 'plain'));
    const command = { type: 'out', outputs: [{ output: 0, control: 'on', ticks: 0 }] } as const;
    line.pass(1_010);
    line.input({ type: 'command', place: 0, command });
    expect(line.heard.at(-1)).toEqual({ at: line.now, address: 4, id: 0x68 });
    line.silent.add(4);
    line.pass(50);
    line.input({ type: 'command', place: 0, command });
    line.pass(2_000);
    expect(line.faults()).toEqual(['absent']);
    line.silent.clear();
    line.heard.length = 0;
    line.pass(3_000);
    expect(line.faults()).toEqual([undefined]);
    expect(line.heard.filter(({ id }) => id === 0x68)).toEqual([]);
  });

  it('sends outputs before lights and sounds that are waiting, in their own order', () => {
    const line = new Line(setupOf([4], 'plain'));
    line.pass(1_010);
    line.silent.add(4);
    const led = { type: 'led', leds: [] } as const;
    const out = (output: number) => ({ type: 'out', outputs: [{ output, control: 'on', ticks: 0 }] }) as const;
    line.input({ type: 'command', place: 0, command: led });
    for (const command of [led, led, out(0), led, out(1)]) line.input({ type: 'command', place: 0, command });
    expect(line.state.peripherals[0]!.queue).toEqual([out(0), out(1), led, led, led]);
  });

  it('never talks unencrypted to readers that have a key', () => {
    const line = new Line(setupOf([1], 'plain', paired));
    line.pass(5_000);
    expect(line.faults()).toEqual(['broken']);
    expect(new Set(line.heard.map(({ id }) => id))).toEqual(new Set([0x61, 0x76]));
  });
});

describe('unauthenticated device on an OSDP bus', () => {
  const reply = (fields: Pick<ReceivedOsdpPacket, 'sequence' | 'id' | 'data'>): ReceivedOsdpPacket => {
    const packet = { address: 1, crc: true, from_peripheral: true, security: null, ...fields };
    return new OsdpPacketStream().take(encodeOsdpPacket(packet, () => new Uint8Array()))[0]!;
  };

  it('receives no proof of the key before it has given its own', () => {
    const line = new Line(setupOf([1], 'paired', paired));
    line.pass(1);
    line.silent.add(1);
    line.pass(2);
    expect(line.heard.at(-1)).toMatchObject({ id: 0x76 });
    line.input({ type: 'packet', packet: reply({ sequence: 1, id: 0x76, data: new Uint8Array(32) }) });
    line.pass(1_000);
    expect(line.heard.filter(({ id }) => id === 0x77)).toEqual([]);
  });

  it('is ignored when it responds with another sequence number', () => {
    const line = new Line(setupOf([1], 'plain'));
    const reported = () => line.reported.filter(({ effect }) => effect.effect.type === 'reply').length;
    line.pass(1_000);
    line.silent.add(1);
    line.pass(60);
    const asked = line.state.peripherals[0]!.in_flight!.sequence;
    const keys = { id: 0x53, data: Uint8Array.of(0, 1, 0x31) };
    for (const sequence of [0, 1, 2, 3].filter(one => one !== asked))
      line.input({ type: 'packet', packet: reply({ sequence, ...keys }) });
    expect(reported()).toBe(0);
    line.input({ type: 'packet', packet: reply({ sequence: asked, ...keys }) });
    line.input({ type: 'packet', packet: reply({ sequence: asked, ...keys }) });
    expect(reported()).toBe(1);
  });
});

describe('OSDP bus while a reader is replaced', () => {
  const base = { bytes: new Uint8Array(16), installation: true, sets_key: true };

  it('looks for it at the addresses that nothing uses, keeps polling the others, and ends in time', () => {
    const line = new Line(setupOf([1, 2], 'plain'));
    for (let address = 0; address < 127; address++) if (![2, 5].includes(address)) line.silent.add(address);
    line.pass(3_000);
    expect(line.faults()).toEqual(['absent', undefined]);
    const until = addMilliseconds(line.now, 10_000);
    line.input({ type: 'replace', place: 0, window: { base, until } });
    line.heard.length = 0;
    line.pass(10_000);
    expect(line.state.probe.found).toBe(5);
    const polls = line.heard.filter(({ address }) => address === 2).map(({ at }) => at);
    expect(Math.max(...polls.slice(1).map((at, place) => at - polls[place]!))).toBeLessThan(1_000);
    line.heard.length = 0;
    line.pass(5_000);
    expect(new Set(line.heard.map(({ address }) => address))).toEqual(new Set([1, 2]));
  });
});

describe('OSDP bus with arbitrary input', () => {
  const packet = fc
    .record({
      address: fc.integer({ min: 0, max: 3 }),
      sequence: fc.integer({ min: 0, max: 3 }),
      crc: fc.boolean(),
      from_peripheral: fc.boolean(),
      security: fc.option(
        fc.record({ type: fc.integer({ min: 0x10, max: 0x19 }), data: fc.uint8Array({ maxLength: 3 }) }),
      ),
      id: fc.constantFrom(0x40, 0x41, 0x45, 0x46, 0x48, 0x49, 0x50, 0x51, 0x53, 0x76, 0x78, 0x79, 0x90),
      data: fc.uint8Array({ maxLength: 34 }),
    })
    .map(fields => new OsdpPacketStream().take(encodeOsdpPacket(fields, () => new Uint8Array(16)))[0]!);
  const input: fc.Arbitrary<OsdpBusInput | number> = fc.oneof(
    packet.map(packet => ({ type: 'packet', packet }) as const),
    fc.integer({ min: 0, max: 300 }),
    fc.constant({ type: 'command', place: 0, command: { type: 'poll' } } as const),
    fc.constant({ type: 'line', fault: absent } as const),
    fc.constant({ type: 'line', fault: null } as const),
    fc.constant({ type: 'bytes' } as const),
  );

  it('reports nothing from a reader that has not proven its key, and keeps polling', () => {
    fc.assert(
      fc.property(
        fc.array(input, { maxLength: 200 }),
        fc.constantFrom<OsdpSecurityMode>('pair', 'paired'),
        (inputs, security) => {
          const line = new Line(setupOf([1, 2], security, paired));
          for (const address of [1, 2]) line.silent.add(address);
          for (const one of inputs)
            if (typeof one === 'number') line.pass(one);
            else line.input(one);
          expect(
            line.reported.filter(({ effect }) => effect.effect.type === 'reply' || effect.effect.type === 'ready'),
          ).toEqual([]);
          line.input({ type: 'line', fault: null });
          line.heard.length = 0;
          line.pass(5_000);
          expect(new Set(line.heard.map(({ address }) => address))).toEqual(new Set([1, 2]));
        },
      ),
      { numRuns: iterations({ sample: 60, all: 300 }) },
    );
  });
});
