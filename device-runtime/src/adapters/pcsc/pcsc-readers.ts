import { after } from '@lintel/access-core/monotonic';
import type { CardReader } from '../../ports/card-reader.ts';
import type { Log } from '../../ports/log.ts';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import type { FaultListener } from '../../ports/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { PhoneCheck } from '../phone/phone-check.ts';
import { ContactlessTaps } from '../taps/contactless-taps.ts';
import { openPcscMiniSession } from './pcsc-mini-session.ts';
import type { OpenPcscSession, PcscSession, PcscWatcher } from './pcsc-session.ts';
import { PcscSlot } from './pcsc-slot.ts';

export interface PcscReadersOptions {
  readonly clock: MonotonicClock;
  readonly log: Log;
  /** Null where phones are not asked for. */
  readonly phones: PhoneCheck | null;
  /** How long a card must be away before it is a new tap. */
  readonly goneAfterMs?: number;
  readonly open?: OpenPcscSession;
}

const SERVICE_AWAY = 'the PC/SC service (pcscd) does not answer';
const GONE_AFTER_MS = 300;
const RETRY_MS = 500;
/** The service lists its readers at once. */
const FIRST_LOOK_MS = 1_000;

class PcscReader extends ContactlessTaps implements CardReader {
  readonly name: string | null;
  readonly health = new PartHealth();

  constructor(name: string | null, options: ConstructorParameters<typeof ContactlessTaps>[0]) {
    super(options);
    this.name = name;
  }

  onFault(listener: FaultListener): void {
    this.health.onFault(listener);
  }
}

/** The slot for a reader's own secure module always has a card, and nobody holds it there. */
const isSecureModule = (reader: string): boolean => /\bSAM\b/.test(reader);

const LONGEST_REASON = 160;

/** The binding names what the service says by a code; anything else is a binding that cannot be loaded. */
const troubleOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && !code.startsWith('ERR_')) return SERVICE_AWAY;
  return `PC/SC cannot be used: ${String(message).replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON)}`;
};

const missing = (name: string | null): string =>
  name === null ? 'no reader is plugged in' : `no reader "${name}" is plugged in`;

/** All readers of the PC/SC service. The service may stop and start, readers may come and go. */
export class PcscReaders {
  readonly #options: PcscReadersOptions;
  readonly #open: OpenPcscSession;
  readonly #readers: PcscReader[] = [];
  #slots = new Map<string, PcscSlot>();
  #session: PcscSession | null = null;
  #trouble: string | null = null;
  /** The service has had time to list its readers: what is missing now is not there. */
  #isSettled = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(options: PcscReadersOptions) {
    this.#options = options;
    this.#open = options.open ?? openPcscMiniSession;
    void this.#connect();
  }

  /** Readers whose name contains `name`; null: all that nobody else asks for by name. */
  reader(name: string | null): CardReader {
    const { clock, log, phones, goneAfterMs = GONE_AFTER_MS } = this.#options;
    const reader = new PcscReader(name, { clock, log, phones, goneAfterMs });
    this.#readers.push(reader);
    this.#judgeHealth();
    return reader;
  }

  #readerOf(slot: string): PcscReader | null {
    const named = this.#readers.find(({ name }) => name !== null && slot.toLowerCase().includes(name.toLowerCase()));
    if (named !== undefined) return named;
    return isSecureModule(slot) ? null : (this.#readers.find(({ name }) => name === null) ?? null);
  }

  async #connect(): Promise<void> {
    this.#isSettled = false;
    try {
      const session = await this.#open(this.#watcher());
      if (this.#isClosed) return session.close();
      this.#session = session;
      this.#trouble = null;
      this.#later(FIRST_LOOK_MS, () => this.#settle());
    } catch (error) {
      this.#down(troubleOf(error));
    }
  }

  #later(milliseconds: number, work: () => void): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.wake(after(clock.now(), milliseconds), work);
  }

  /** Of one session: what an older one still tells does not count. */
  #watcher(): PcscWatcher {
    const slots = new Map<string, PcscSlot>();
    this.#slots = slots;
    const isCurrent = (): boolean => this.#slots === slots && !this.#isClosed;
    return {
      changed: (name, hasCard) => {
        if (isCurrent()) this.#slotOf(name).changed(hasCard);
      },
      unplugged: name => {
        if (!isCurrent()) return;
        slots.get(name)?.changed(false);
        slots.delete(name);
        this.#settle();
      },
      ended: () => {
        if (isCurrent()) this.#down(SERVICE_AWAY);
      },
    };
  }

  #slotOf(name: string): PcscSlot {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const { clock, log } = this.#options;
    const slot = new PcscSlot({
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
    return this.#session?.connect(reader) ?? Promise.reject(new Error('the service is gone'));
  }

  #down(trouble: string): void {
    this.#session?.close();
    this.#session = null;
    for (const slot of this.#slots.values()) slot.changed(false);
    this.#slots = new Map();
    this.#trouble = trouble;
    this.#settle();
    this.#later(RETRY_MS, () => void this.#connect());
  }

  #settle(): void {
    this.#isSettled = true;
    this.#judgeHealth();
  }

  #judgeHealth(): void {
    for (const reader of this.#readers) {
      const slots = [...this.#slots].filter(([name]) => this.#readerOf(name) === reader).map(([, slot]) => slot);
      if (slots.some(({ hangs }) => hangs)) reader.health.fail('broken', 'the reader does not answer');
      else if (slots.length > 0) reader.health.heal();
      else if (this.#isSettled) reader.health.fail('absent', this.#trouble ?? missing(reader.name));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#session?.close();
    this.#session = null;
  }
}
