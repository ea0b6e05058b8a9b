import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { ReceivedEventNumbers } from '@lintel/cloud-bridge/testing';
import {
  ControllerFaultRegistry,
  EventLog,
  EventQueues,
  EventSequenceAllocator,
  type EventStore,
  RetryingStateStore,
  UnwrittenEvents,
} from '@lintel/device-runtime/testing';
import { type StoredFrameMetadata, StoredFrameTotals, toEventRanges } from '@lintel/gateway/testing';
import { ModelDisk } from './model-disk.ts';

const DEVICE = 'dev_1' as DeviceId;
const SERIAL = '01';
const NOW = instant(0);

interface Controller {
  readonly log: EventLog;
  readonly queues: EventQueues;
  readonly unwritten: UnwrittenEvents;
  readonly store: Pick<EventStore, keyof EventStore>;
}

interface ModelFrame extends StoredFrameMetadata {
  readonly batch: readonly DeviceEvent[];
}

/** Whom the acknowledgement of the bridge reaches. */
type AckReach = 'both' | 'gateway' | 'none';

/** A controller, a gateway and a bridge: the real numbering, queues and indexes, with a modelled disk and network. */
export class ModelWorld {
  readonly recorded: DeviceEvent[] = [];
  /** Events that were only in memory when the power failed. */
  readonly died: DeviceEvent[] = [];
  readonly reportedLost: number[] = [];
  readonly #disk = new ModelDisk();
  readonly #index = new StoredFrameTotals();
  readonly #frames: ModelFrame[] = [];
  readonly #committed = new Map<string, DeviceEvent>();
  readonly #received = new ReceivedEventNumbers('{}');
  #sent: string[] = [];
  #frameIds = 0;
  #starts = 0;
  #ids = 0;
  hasFailed = false;
  #controller = this.#start();

  #start(): Controller {
    const disk = this.#disk;
    const faults: ControllerFaultRegistry = new ControllerFaultRegistry(() => NOW, {
      begun: () => undefined,
      changed: () => undefined,
      over: () => undefined,
    });
    const state = new RetryingStateStore(disk.state, faults);
    const store = disk.openStore();
    const unwritten = new UnwrittenEvents(disk.copy);
    const lastKnown = Math.max(store.lastSequence(), ...unwritten.all.map(({ sequence }) => sequence));
    const numbers = new EventSequenceAllocator(state, lastKnown, `epoch-${++this.#starts}`, disk.lastNumber);
    const log: EventLog = new EventLog({
      store,
      numbers,
      unwritten,
      disk: { isAlmostFull: false },
      state,
      clock: { now: () => NOW, isTrusted: () => true } as never,
      faults,
      log: () => undefined,
      // Ids of all starts differ.
      randomBytes: count => {
        const bytes = new Uint8Array(count);
        for (let index = 0; index < count; index += 10) bytes[index] = ++this.#ids;
        return bytes;
      },
      onRecorded: event => void this.recorded.push(event),
      onOlderEventsWaiting: () => undefined,
    });
    this.#sent = [];
    return { log, queues: new EventQueues(store, log), unwritten, store };
  }

  record(): void {
    this.#controller.log.record({ kind: 'use' });
  }

  maintain(): void {
    this.#controller.log.maintain();
  }

  setDisk(mode: ModelDisk['mode']): void {
    this.#disk.mode = mode;
    this.hasFailed ||= mode === 'failed';
  }

  get diskMode(): ModelDisk['mode'] {
    return this.#disk.mode;
  }

  cutPower(): void {
    this.died.push(...this.#controller.unwritten.all);
    this.#disk.copied = [];
    this.#controller = this.#start();
  }

  /** What is in memory outside of the process stays. */
  kill(): void {
    this.#controller = this.#start();
  }

  reconnect(): void {
    this.#controller.queues.restart();
    this.#sent = [];
  }

  /** False when there was nothing to send. */
  send(isDelivered: boolean): boolean {
    const batch = this.#controller.queues.next(1);
    this.#sent.push(...batch.map(({ id }) => id));
    if (batch.length > 0 && isDelivered) this.#storeAtGateway(batch);
    return batch.length > 0;
  }

  #storeAtGateway(batch: readonly DeviceEvent[]): void {
    const ranges = toEventRanges(batch.map(({ epoch, sequence }) => ({ epoch: epoch ?? '', sequence })));
    if (this.#index.holds(DEVICE, SERIAL, ranges)) return;
    const counts = { events: batch.length, bytes: 1, receivedAt: 0 };
    const frame = { id: ++this.#frameIds, device: DEVICE, serial: SERIAL, ranges, ...counts, batch };
    this.#index.add(frame);
    this.#frames.push(frame);
  }

  forward(reach: AckReach): boolean {
    const [frame] = this.#frames;
    if (frame === undefined) return false;
    this.#commit(frame.batch);
    if (reach === 'none') return true;
    this.#frames.shift();
    this.#index.remove(frame);
    if (reach === 'both') this.#acknowledge(frame.batch.map(({ id }) => id));
    return true;
  }

  #acknowledge(event_ids: readonly string[]): void {
    try {
      this.#controller.queues.acknowledged({ event_ids });
      this.#sent = this.#sent.filter(id => !event_ids.includes(id));
    } catch {
      // As in the uploader: the events are sent again.
    }
  }

  #commit(batch: readonly DeviceEvent[]): void {
    for (const event of batch) this.#received.add(event);
    for (const event of batch) {
      if (this.#committed.has(event.id)) continue;
      this.#committed.set(event.id, event);
      if (event.lost == null) continue;
      for (const [first, last] of this.#received.reportLost(event.lost))
        for (let sequence = first; sequence <= last; sequence++) this.reportedLost.push(sequence);
    }
  }

  /** Everything works again, and all that is waiting arrives. */
  settle(): void {
    this.setDisk('working');
    for (let round = 0; round < 3; round++) {
      this.maintain();
      this.reconnect();
      while (this.send(true));
      while (this.forward('both'));
    }
  }

  /** Events that nobody has, although they did not die with a memory. */
  vanished(): DeviceEvent[] {
    const held = new Set<string>([
      ...this.#committed.keys(),
      ...this.died.map(({ id }) => id),
      ...this.#frames.flatMap(({ batch }) => batch.map(({ id }) => id)),
      ...this.#controller.unwritten.all.map(({ id }) => id),
      ...this.#disk.rows.filter(({ isConfirmed }) => !isConfirmed).map(({ event }) => event.id),
    ]);
    return this.recorded.filter(({ id }) => !held.has(id));
  }

  /** Numbers of events that died and never arrived. */
  lost(): number[] {
    return this.died.filter(({ id }) => !this.#committed.has(id)).map(({ sequence }) => sequence);
  }

  get waiting(): number {
    return this.#controller.store.waitingCount() + this.#controller.unwritten.all.length + this.#frames.length;
  }

  /** States with the same text behave alike. */
  toString(): string {
    const { rows, settled, copied, number, saved, mode } = this.#disk;
    const ids = (events: readonly DeviceEvent[]) => events.map(({ id, sequence }) => `${id.slice(4)}:${sequence}`);
    return JSON.stringify([
      mode,
      this.#starts,
      this.hasFailed,
      rows.map(({ event, isConfirmed }) => `${event.id} ${event.sequence} ${isConfirmed}`),
      settled.ranges,
      number,
      ids(copied),
      saved,
      ids(this.#controller.unwritten.all),
      this.#controller.unwritten.lost,
      this.#sent,
      this.#frames.map(({ batch }) => ids(batch)),
      [...this.#committed.keys()],
      this.reportedLost,
      ids(this.died),
    ]);
  }
}
