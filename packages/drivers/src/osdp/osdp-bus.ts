import { randomBytes } from 'node:crypto';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { CardReadingCounter } from '../taps/card-reading-counter.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { createOsdpAddressProbe } from './address-probe.ts';
import { nodeAesCipher } from './aes.ts';
import {
  type OsdpBusEffect,
  type OsdpBusInput,
  type OsdpBusSetup,
  type OsdpBusState,
  nextOsdpBusDeadline,
  stepOsdpBus,
} from './bus-state-machine.ts';
import { classifyOsdpExchange } from './classify-osdp-exchange.ts';
import { type OsdpCommand, readerNumberOfOsdpCommand } from './encode-osdp-command.ts';
import { OsdpPeripheral } from './osdp-peripheral.ts';
import { OsdpPacketStream } from './packet-stream.ts';
import { canQueueOsdpCommand } from './peripheral-state-machine.ts';
import {
  createInitialOsdpPeripheralState,
  isOsdpStatusCommand,
  type OsdpSecurityMode,
} from './peripheral-state-types.ts';
import { OsdpReaderReplacement } from './reader-replacement.ts';
import { OsdpReaderKeyError, type OsdpReaderKeyStore } from './reader-key-store-interface.ts';

/** Wakes receivers after an idle line. Not part of the packet. */
const MARK = 0xff;
const BITS_PER_BYTE = 10;

export interface OsdpBusOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  readonly keys: OsdpReaderKeyStore;
  readonly log: Log;
  readonly baud_rate: number;
  readonly peripherals: readonly {
    readonly address: number;
    readonly security: OsdpSecurityMode;
    /** Very old readers support the one-byte checksum only. */
    readonly crc?: boolean;
  }[];
  readonly random?: (count: number) => Uint8Array;
}

/** A control panel: polls its peripherals over one RS-485 line from construction on. */
export class OsdpBus {
  readonly #options: OsdpBusOptions;
  readonly #setup: OsdpBusSetup;
  readonly #handles: readonly OsdpPeripheral[];
  readonly #replacements: readonly OsdpReaderReplacement[];
  readonly #stream = new OsdpPacketStream();
  #state: OsdpBusState;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(options: OsdpBusOptions) {
    const { line, clock, keys, baud_rate, peripherals, random = randomBytes } = options;
    this.#options = options;
    this.#handles = peripherals.map(
      ({ address }, place) =>
        new OsdpPeripheral(address, new CardReadingCounter(clock), command => this.#command(place, command)),
    );
    this.#setup = {
      peripherals: peripherals.map(({ address, security, crc = true }) => {
        const key_store = { place: keys.placeOf(address), read: () => keys.read(address) };
        return { address, security, crc, aes: nodeAesCipher, random, key_store };
      }),
      byte_ms: (1_000 * BITS_PER_BYTE) / baud_rate,
    };
    const state = createInitialOsdpPeripheralState(clock.now());
    this.#state = {
      peripherals: peripherals.map(() => state),
      waiting: null,
      probe: createOsdpAddressProbe(this.#setup.peripherals, clock.now()),
      line_up: true,
      after_silence: false,
    };
    this.#replacements = peripherals.map(
      (_, place) =>
        new OsdpReaderReplacement({
          clock,
          view: () => ({ ...this.#state.peripherals[place]!, foundAddress: this.#state.probe.found }),
          setWindow: window => this.#input({ type: 'replace', place, window }),
        }),
    );
    line.onBytes(bytes => this.#heard(bytes));
    line.onFault(fault => this.#input({ type: 'line', fault }));
    this.#schedule();
  }

  peripheral(address: number): OsdpPeripheral {
    return this.#handles[this.#placeOf(address)]!;
  }

  replacement(address: number): OsdpReaderReplacement {
    return this.#replacements[this.#placeOf(address)]!;
  }

  #placeOf(address: number): number {
    const place = this.#handles.findIndex(handle => handle.address === address);
    if (place === -1) throw new Error(`No reader at address ${address} on this bus`);
    return place;
  }

  async close(): Promise<void> {
    for (const replacement of this.#replacements) replacement.close();
    this.#closed = true;
    this.#cancel();
    await this.#options.line.close();
  }

  #heard(bytes: Uint8Array): void {
    for (const packet of this.#stream.take(bytes)) this.#input({ type: 'packet', packet });
    if (this.#stream.isMidPacket) this.#input({ type: 'bytes' });
  }

  #command(place: number, command: Extract<OsdpBusInput, { type: 'command' }>['command']): boolean {
    const state = this.#state.peripherals[place];
    if (this.#closed || state === undefined || !canQueueOsdpCommand(state)) return false;
    this.#input({ type: 'command', place, command });
    return true;
  }

  #input(input: OsdpBusInput): void {
    if (this.#closed) return;
    const before = this.#state;
    const { state, effects } = stepOsdpBus(this.#setup, before, input, this.#options.clock.now());
    this.#state = state;
    this.#note(before, input);
    for (const effect of effects) this.#run(effect);
    this.#schedule();
  }

  #note(before: OsdpBusState, input: OsdpBusInput): void {
    const reading = classifyOsdpExchange(before, input, this.#state, this.#stream.hasDamage);
    if (reading === null) return;
    const { signal } = this.#handles[before.waiting!.place!]!;
    if (reading === 'clean') signal.recordSuccess();
    else signal.recordError(reading);
  }

  #schedule(): void {
    const at: MonotonicTime | null = nextOsdpBusDeadline(this.#state, this.#options.clock.now());
    this.#cancel();
    this.#cancel = () => undefined;
    if (at !== null && !this.#closed)
      this.#cancel = this.#options.clock.wake(at, () =>
        this.#input({ type: 'timer', has_heard_damage: this.#stream.hasDamage }),
      );
  }

  #run(effect: OsdpBusEffect): void {
    if (effect.type === 'send') {
      this.#stream.reset();
      // A failed write shows as a timeout, and the line reports its own fault.
      this.#options.line.write(Uint8Array.of(MARK, ...effect.bytes)).catch(() => undefined);
      return;
    }
    this.#handlePeripheralEffect(effect.place, effect.effect);
  }

  #handlePeripheralEffect(
    place: number,
    effect: Extract<OsdpBusEffect, { type: 'peripheral_effect' }>['effect'],
  ): void {
    const handle = this.#handles[place]!;
    const { address } = handle;
    const { keys, log } = this.#options;
    switch (effect.type) {
      case 'keep_key':
        try {
          keys.write(address, effect.key);
          log('info', effect.key.confirmed ? 'Reader paired' : 'New key sent to reader', { address });
        } catch (error) {
          if (!(error instanceof OsdpReaderKeyError)) throw error;
          log('error', error.message, { address });
          this.#input({ type: 'key_not_kept', place });
        }
        break;
      case 'replaced':
        this.#replacements[place]!.onReplaced(effect.identity);
        break;
      case 'executed':
        if (effect.refusal !== null) this.#logRefusal(address, effect.command, effect.refusal);
        handle.take(effect);
        break;
      case 'fault':
      case 'ready':
      case 'reply':
        handle.take(effect);
        break;
    }
  }

  #logRefusal(address: number, command: OsdpCommand, reason: number): void {
    if (isOsdpStatusCommand(command.type)) return;
    const reader_number = readerNumberOfOsdpCommand(command);
    const place = reader_number === null ? { address } : { address, reader_number };
    this.#options.log('warn', 'Reader refused a command', { ...place, command: command.type, reason });
  }
}
