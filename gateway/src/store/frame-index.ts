import type { DeviceId } from '@lintel/access-core/ids';
import type { FrameNote } from './frame-table.ts';
import { SequenceSpans, type Span } from './sequence-spans.ts';

interface Account {
  frames: number;
  bytes: number;
  events: number;
  /** By certificate: another one may begin its numbers anew. */
  readonly held: Map<string, SequenceSpans>;
}

export interface QueueFigures {
  readonly frames: number;
  readonly bytes: number;
  readonly events: number;
}

const nothing: QueueFigures = { frames: 0, bytes: 0, events: 0 };

/** What is in the store, as far as it has to be known at once: a few numbers for each device, however much waits. */
export class FrameIndex {
  readonly #accounts = new Map<DeviceId, Account>();
  #bytes = 0;
  #frames = 0;
  #events = 0;

  get total(): QueueFigures {
    return { frames: this.#frames, bytes: this.#bytes, events: this.#events };
  }

  of(device: DeviceId): QueueFigures {
    const account = this.#accounts.get(device);
    return account === undefined ? nothing : { frames: account.frames, bytes: account.bytes, events: account.events };
  }

  devices(): DeviceId[] {
    return [...this.#accounts.keys()];
  }

  serials(device: DeviceId): string[] {
    return [...(this.#accounts.get(device)?.held.keys() ?? [])];
  }

  /** Whether all of these events wait here already. */
  holds(device: DeviceId, serial: string, spans: readonly Span[]): boolean {
    const held = this.#accounts.get(device)?.held.get(serial);
    return held !== undefined && spans.length > 0 && spans.every(span => held.hasAll(span));
  }

  added({ device, serial, spans, bytes, events }: FrameNote): void {
    const account = this.#accounts.get(device) ?? { frames: 0, bytes: 0, events: 0, held: new Map() };
    this.#accounts.set(device, account);
    const held = account.held.get(serial) ?? new SequenceSpans();
    account.held.set(serial, held);
    for (const span of spans) held.add(span);
    this.#count(account, 1, bytes, events);
  }

  removed({ device, serial, spans, bytes, events }: FrameNote): void {
    const account = this.#accounts.get(device);
    if (account === undefined) return;
    const held = account.held.get(serial);
    // Where another frame holds the same event too it may come once more, which the bridge does not mind.
    for (const span of spans) held?.remove(span);
    this.#count(account, -1, -bytes, -events);
    if (account.frames <= 0) this.#accounts.delete(device);
  }

  #count(account: Account, frames: number, bytes: number, events: number): void {
    account.frames += frames;
    account.bytes += bytes;
    account.events += events;
    this.#frames += frames;
    this.#bytes += bytes;
    this.#events += events;
  }

  clear(): void {
    this.#accounts.clear();
    this.#bytes = 0;
    this.#frames = 0;
    this.#events = 0;
  }
}
