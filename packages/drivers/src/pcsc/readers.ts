import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { NfcPhoneAuthenticator } from '../taps/nfc-phone.ts';
import { PcscProcessService } from './service.ts';
import {
  PcscReader,
  PluggedPcscReader,
  isPcscServiceError,
  createMissingPcscReaderFault,
  toPcscFault,
} from './reader.ts';
import {
  isAnyPcscReaderAllowed,
  isChosenPcscReader,
  needsPcscReaderUsbIdentity,
  type PcscReaderChoice,
  type PcscService,
  type PcscSession,
  type PcscWatcher,
} from './session.ts';

export interface PcscReadersOptions {
  readonly clock: MonotonicClock;
  readonly log: Log;
  /** Null if phones are not supported. */
  readonly phones: NfcPhoneAuthenticator | null;
  /** How long a card must be away to count as a new tap. */
  readonly goneAfterMs?: number;
  readonly service?: PcscService;
}

const GONE_AFTER_MS = 300;
const RETRY_MS = 500;
/** Backoff for sessions that end repeatedly, because each costs a new process. */
const LONGEST_RETRY_MS = 4_000;
/** A session this long resets the backoff. */
const STEADY_MS = 10_000;
/** Time for the service to list its readers. */
const FIRST_LOOK_MS = 1_000;

/** The slot of a reader's secure module always contains a card. */
const isSecureModule = (reader: string): boolean => /\bSAM\b/.test(reader);

/** All readers of the PC/SC service. Handles restarts of the service and hot plugging of readers. */
export class PcscReaders {
  readonly #options: PcscReadersOptions;
  readonly #service: PcscService;
  readonly #readers: PcscReader[] = [];
  #slots = new Map<string, PluggedPcscReader>();
  #session: PcscSession | null = null;
  #trouble: PartFault | null = null;
  #openedAt: MonotonicTime | null = null;
  #failures = 0;
  /** The service has had time to list its readers: a reader missing now is absent. */
  #isSettled = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(options: PcscReadersOptions) {
    this.#options = options;
    this.#service = options.service ?? new PcscProcessService(options.clock);
    void this.#connect();
  }

  /** `choice` may change; call `choicesChanged` then. */
  reader(choice: PcscReaderChoice | (() => PcscReaderChoice)): CardReader {
    const { clock, log, phones, goneAfterMs = GONE_AFTER_MS } = this.#options;
    const reader = new PcscReader(
      typeof choice === 'function' ? choice : () => choice,
      { log, phones, goneAfterMs },
      clock,
    );
    this.#readers.push(reader);
    this.#judgeHealth();
    return reader;
  }

  choicesChanged(): void {
    for (const [name, slot] of this.#slots) if (slot.place === null) void this.#locate(name, slot);
    this.#judgeHealth();
  }

  #readerOf(slot: string): PcscReader | null {
    const place = this.#slots.get(slot)?.place ?? null;
    // An equal reader of another door must not act for this one while its place is unknown.
    if (place === null && this.#needsPlaces()) return null;
    const chosen = this.#readers.find(
      ({ choice }) => !isAnyPcscReaderAllowed(choice) && isChosenPcscReader(choice, slot, place),
    );
    if (chosen !== undefined) return chosen;
    return isSecureModule(slot) ? null : (this.#readers.find(({ choice }) => isAnyPcscReaderAllowed(choice)) ?? null);
  }

  #needsPlaces(): boolean {
    return this.#readers.some(({ choice }) => needsPcscReaderUsbIdentity(choice));
  }

  async #locate(name: string, slot: PluggedPcscReader): Promise<void> {
    if (this.#session === null || !this.#needsPlaces()) return;
    try {
      slot.place = await this.#session.locate(name);
    } catch (error) {
      this.#options.log('warn', 'Failed to find the place of a reader', { reader: name, reason: String(error) });
    }
    this.#judgeHealth();
  }

  async #connect(): Promise<void> {
    this.#isSettled = false;
    try {
      const session = await this.#service.open(this.#watcher());
      if (this.#isClosed) return session.close();
      this.#session = session;
      this.#openedAt = this.#options.clock.now();
      this.#trouble = null;
      for (const [name, slot] of this.#slots) void this.#locate(name, slot);
      this.#later(FIRST_LOOK_MS, () => this.#settle());
    } catch (error) {
      if (!this.#isClosed) this.#down(error as Error);
    }
  }

  #later(milliseconds: number, work: () => void): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.wake(addMilliseconds(clock.now(), milliseconds), work);
  }

  /** Ignores reports of earlier sessions. */
  #watcher(): PcscWatcher {
    const slots = new Map<string, PluggedPcscReader>();
    this.#slots = slots;
    const isCurrent = (): boolean => this.#slots === slots && !this.#isClosed;
    return {
      changed: (name, hasCard) => {
        if (!isCurrent()) return;
        const slot = this.#slotOf(name);
        if (slot.place === null) void this.#locate(name, slot);
        slot.changed(hasCard);
      },
      mute: name => {
        if (isCurrent()) this.#readerOf(name)?.notRead('unreadable');
      },
      unplugged: name => {
        if (!isCurrent()) return;
        slots.get(name)?.changed(false);
        slots.delete(name);
        this.#settle();
      },
      ended: reason => {
        if (isCurrent()) this.#down(reason);
      },
    };
  }

  #slotOf(name: string): PluggedPcscReader {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const { clock, log } = this.#options;
    const slot = new PluggedPcscReader({
      name,
      connect: () => this.#connectTo(name),
      taps: () => this.#readerOf(name),
      clock,
      log,
      healthChanged: () => this.#judgeHealth(),
    });
    this.#slots.set(name, slot);
    this.#judgeHealth();
    return slot;
  }

  #connectTo(reader: string): ReturnType<PcscSession['connect']> {
    return this.#session?.connect(reader) ?? Promise.reject(new Error('The PC/SC service is gone'));
  }

  #down(reason: Error): void {
    this.#session?.close();
    this.#session = null;
    for (const slot of this.#slots.values()) slot.changed(false);
    this.#slots = new Map();
    this.#trouble = toPcscFault(reason);
    this.#settle();
    this.#later(this.#retryAfter(reason), () => void this.#connect());
  }

  #retryAfter(reason: Error): number {
    const { clock } = this.#options;
    const wasSteady = this.#openedAt !== null && clock.now() - this.#openedAt > STEADY_MS;
    this.#openedAt = null;
    this.#failures = wasSteady || isPcscServiceError(reason) ? 0 : this.#failures + 1;
    return computeMaxBackoffDelay({ firstMs: RETRY_MS, longestMs: LONGEST_RETRY_MS }, Math.max(0, this.#failures - 1));
  }

  #settle(): void {
    this.#isSettled = true;
    this.#judgeHealth();
  }

  #judgeHealth(): void {
    for (const reader of this.#readers) {
      const slots = [...this.#slots].filter(([name]) => this.#readerOf(name) === reader).map(([, slot]) => slot);
      if (slots.length === 0) reader.seesNothing();
      else reader.sees();
      if (slots.some(({ hangs }) => hangs)) reader.health.fail('broken', 'The reader does not respond');
      else if (slots.length > 0) reader.health.clear();
      else if (this.#isSettled) this.#fail(reader);
    }
  }

  #fail(reader: PcscReader): void {
    const { kind, message } = this.#trouble ?? createMissingPcscReaderFault(reader.choice);
    reader.health.fail(kind, message);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#session = null;
    this.#service.close();
  }
}
