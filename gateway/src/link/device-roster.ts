import type { DeviceId } from '@lintel/access-core/ids';
import type { Log } from '@lintel/service/log';
import type { Timers } from '@lintel/service/timing/timers';
import { ownDownFilter } from '@lintel/wire-protocol/mqtt/topics';

export interface RosterParts {
  readonly subscribe: (filters: readonly string[]) => Promise<void>;
  readonly unsubscribe: (filters: readonly string[]) => Promise<void>;
  readonly sayPresence: (devices: readonly DeviceId[]) => void;
  /** Those whose events wait here for an answer, connected or not. */
  readonly withFrames: () => readonly DeviceId[];
  /** From now on what the device says can be carried: its answers are heard, and the bridge knows where it is. */
  readonly onReady: (device: DeviceId) => void;
  readonly timers: Timers;
  readonly log: Log;
}

/** Those who come within it are named together. */
const GATHER_MS = 10;
/** A bridge that does not know a device yet will in a moment. */
const REFUSED_MS = 1000;

/** Who hangs on the gateway, and how far the bridge knows it. */
export class DeviceRoster {
  readonly #parts: RosterParts;
  /** Since when, by the monotonic clock of the caller. */
  readonly #connected = new Map<DeviceId, number>();
  #heard = new Set<DeviceId>();
  #ready = new Set<DeviceId>();
  /** Told once in each session. */
  readonly #refused = new Set<DeviceId>();
  #said: string | null = null;
  /** Counts sessions: what an older one was asked for is of no use any more. */
  #session = 0;
  #isOpen = false;
  #isDue = false;
  #isFlushing = false;

  constructor(parts: RosterParts) {
    this.#parts = parts;
  }

  connected(): ReadonlyMap<DeviceId, number> {
    return this.#connected;
  }

  isConnected(device: string): boolean {
    return this.#connected.has(device as DeviceId);
  }

  isReady(device: DeviceId): boolean {
    return this.#ready.has(device);
  }

  isHeard(device: DeviceId): boolean {
    return this.#heard.has(device);
  }

  came(device: DeviceId, since: number): void {
    this.#connected.set(device, since);
    this.#ready.delete(device);
    this.#soon();
  }

  went(device: DeviceId): void {
    this.#connected.delete(device);
    this.#ready.delete(device);
    this.#soon();
  }

  /** Something of a device that may be away is to be sent. */
  wants(device: DeviceId): void {
    if (!this.#heard.has(device)) this.#soon();
  }

  /** What is subscribed with the connection itself. */
  wanted(): DeviceId[] {
    return [...new Set([...this.#connected.keys(), ...this.#parts.withFrames()])];
  }

  /** The bridge hears us, and `heard` are those whose filters went with the connection. */
  opened(heard: readonly DeviceId[]): void {
    this.#session++;
    this.#isOpen = true;
    this.#heard = new Set(heard);
    this.#ready = new Set();
    this.#said = null;
    this.#refused.clear();
    this.#soon();
  }

  closed(): void {
    this.#session++;
    this.#isOpen = false;
    this.#heard = new Set();
    this.#ready = new Set();
  }

  #soon(): void {
    if (!this.#isOpen || this.#isDue) return;
    this.#isDue = true;
    this.#parts.timers.after(GATHER_MS, () => {
      this.#isDue = false;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    if (this.#isFlushing) return this.#soon();
    this.#isFlushing = true;
    const session = this.#session;
    try {
      await this.#listen(session);
    } finally {
      this.#isFlushing = false;
    }
    if (session !== this.#session) return;
    if (this.wanted().some(id => !this.#heard.has(id))) this.#parts.timers.after(REFUSED_MS, () => this.#soon());
    this.#tell();
    const isNew = [...this.#connected.keys()].filter(id => this.#heard.has(id) && !this.#ready.has(id));
    for (const device of isNew) this.#ready.add(device);
    for (const device of [...isNew, ...this.#parts.withFrames()]) this.#parts.onReady(device);
  }

  async #listen(session: number): Promise<void> {
    const { subscribe, unsubscribe, log } = this.#parts;
    const wanted = new Set(this.wanted());
    const missing = [...wanted].filter(id => !this.#heard.has(id));
    const spare = [...this.#heard].filter(id => !wanted.has(id));
    const added = (devices: readonly DeviceId[]) => (): void => {
      if (session === this.#session) for (const id of devices) this.#heard.add(id);
    };
    try {
      if (missing.length > 0) await subscribe(missing.map(ownDownFilter)).then(added(missing));
    } catch {
      // One of them is refused: the others must not pay for it.
      for (const id of missing) {
        await subscribe([ownDownFilter(id)])
          .then(added([id]))
          .catch(() => {
            if (session !== this.#session || this.#refused.has(id)) return;
            this.#refused.add(id);
            log('warn', 'the bridge does not let the gateway hear a device', { device_id: id });
          });
      }
    }
    if (spare.length === 0 || session !== this.#session) return;
    for (const id of spare) this.#heard.delete(id);
    await unsubscribe(spare.map(ownDownFilter)).catch(() => undefined);
  }

  #tell(): void {
    const devices = [...this.#connected.keys()].toSorted();
    const said = devices.join(' ');
    if (said === this.#said) return;
    this.#said = said;
    this.#parts.sayPresence(devices);
  }
}
