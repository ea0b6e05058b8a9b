import { randomBytes } from 'node:crypto';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { SignalRecord } from '../readers/signal/signal-record.ts';
import type { SerialLine } from '../serial-line/serial-line-port.ts';
import { nodeAes } from './aes.ts';
import { type BusEffect, type BusInput, type BusSetup, type BusState, nextBusDeadline, stepBus } from './bus.ts';
import { lineReading } from './line-reading.ts';
import { OsdpPeripheral } from './osdp-peripheral.ts';
import { PacketStream } from './packet-stream.ts';
import { canTake } from './peripheral.ts';
import { initialPeripheral, type OsdpSecurity } from './peripheral-model.ts';
import { ReaderKeyError, type ReaderKeys } from './reader-keys.ts';

/** Wakes receivers whose line floated. It is no part of the packet. */
const MARK = 0xff;
const BITS_PER_BYTE = 10;

export interface OsdpBusOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  readonly keys: ReaderKeys;
  readonly log: Log;
  readonly baud_rate: number;
  readonly peripherals: readonly {
    readonly address: number;
    readonly security: OsdpSecurity;
    /** Very old readers know the one-byte checksum only. */
    readonly crc?: boolean;
  }[];
  readonly random?: (count: number) => Uint8Array;
}

/** A control panel: polls its readers over one RS-485 line from the moment it is made. */
export class OsdpBus {
  readonly #options: OsdpBusOptions;
  readonly #setup: BusSetup;
  readonly #handles: readonly OsdpPeripheral[];
  readonly #stream = new PacketStream();
  #state: BusState;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(options: OsdpBusOptions) {
    const { line, clock, keys, baud_rate, peripherals, random = randomBytes } = options;
    this.#options = options;
    this.#handles = peripherals.map(
      ({ address }, place) =>
        new OsdpPeripheral(address, new SignalRecord(clock), command => this.#command(place, command)),
    );
    this.#setup = {
      peripherals: peripherals.map(({ address, security, crc = true }) => {
        const key_store = { place: keys.placeOf(address), read: () => keys.read(address) };
        return { address, security, crc, aes: nodeAes, random, key_store };
      }),
      byte_ms: (1_000 * BITS_PER_BYTE) / baud_rate,
    };
    const state = initialPeripheral(clock.now());
    this.#state = { peripherals: peripherals.map(() => state), waiting: null, line_up: true, after_silence: false };
    line.onBytes(bytes => this.#heard(bytes));
    line.onFault(fault => this.#input({ type: 'line', fault }));
    this.#schedule();
  }

  peripheral(address: number): OsdpPeripheral {
    const found = this.#handles.find(handle => handle.address === address);
    if (found === undefined) throw new Error(`there is no reader at address ${address} on this bus`);
    return found;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#options.line.close();
  }

  #heard(bytes: Uint8Array): void {
    for (const packet of this.#stream.take(bytes)) this.#input({ type: 'packet', packet });
    if (this.#stream.isMidPacket) this.#input({ type: 'bytes' });
  }

  #command(place: number, command: Extract<BusInput, { type: 'command' }>['command']): boolean {
    const state = this.#state.peripherals[place];
    if (this.#closed || state === undefined || !canTake(state)) return false;
    this.#input({ type: 'command', place, command });
    return true;
  }

  #input(input: BusInput): void {
    if (this.#closed) return;
    const before = this.#state;
    const { state, effects } = stepBus(this.#setup, before, input, this.#options.clock.now());
    this.#state = state;
    this.#note(before, input);
    for (const effect of effects) this.#run(effect);
    this.#schedule();
  }

  #note(before: BusState, input: BusInput): void {
    const reading = lineReading(before, input, this.#state, this.#stream.hasDamage);
    if (reading === null) return;
    const { signal } = this.#handles[before.waiting!.place]!;
    if (reading === 'clean') signal.clean();
    else signal.broken(reading);
  }

  #schedule(): void {
    const at: Monotonic | null = nextBusDeadline(this.#state);
    this.#cancel();
    this.#cancel = () => undefined;
    if (at !== null && !this.#closed)
      this.#cancel = this.#options.clock.wake(at, () =>
        this.#input({ type: 'timer', has_heard_damage: this.#stream.hasDamage }),
      );
  }

  #run(effect: BusEffect): void {
    if (effect.type === 'send') {
      this.#stream.reset();
      // What cannot be written is silence, and the line tells its own fault.
      this.#options.line.write(Uint8Array.of(MARK, ...effect.bytes)).catch(() => undefined);
      return;
    }
    this.#tell(effect.place, effect.effect);
  }

  #tell(place: number, effect: Extract<BusEffect, { type: 'told' }>['effect']): void {
    const handle = this.#handles[place]!;
    const { address } = handle;
    const { keys, log } = this.#options;
    switch (effect.type) {
      case 'keep_key':
        try {
          keys.write(address, effect.key);
          log('info', effect.key.confirmed ? 'a reader is paired' : 'a reader is given a key of its own', { address });
        } catch (error) {
          if (!(error instanceof ReaderKeyError)) throw error;
          log('error', error.message, { address });
          this.#input({ type: 'key_not_kept', place });
        }
        break;
      case 'executed':
        if (effect.refusal !== null)
          log('warn', 'a reader refuses a command', { address, command: effect.command, reason: effect.refusal });
        handle.take(effect);
        break;
      case 'fault':
      case 'ready':
      case 'reply':
        handle.take(effect);
        break;
    }
  }
}
