import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Instant, instant } from '@lintel/access-core/instant';
import { FakeBridge } from '@lintel/test/support/devices/fake-bridge';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { DeviceSession } from './device-session.ts';
import type { SavedReplayWindow } from './downlink/replay-window-store-interface.ts';
import {
  applySnapshotChunks,
  type CompleteSnapshotTransfer,
  digestSnapshotEntries,
  type SnapshotEntries,
} from './snapshot/apply-snapshot-chunks.ts';
import type { StoredRevision } from './snapshot/snapshot-storage-interface.ts';
import { StagedSnapshotChunks } from './snapshot/in-memory-staged-chunks.ts';
import { UplinkCounter, volatileUplinkCounterStore } from './uplink/uplink-counter.ts';
import { UplinkPublisher } from './uplink/uplink-publisher.ts';

export const TEST_NOON = instant(Date.parse('2026-06-01T12:00:00Z'));

export const createPeerEntry = (id: string): SnapshotEntry => ({ type: 'peer', id, serial: '01', public_key: 'x' });

export const createSnapshotChunks = (to: number, entries: readonly SnapshotEntry[] = []): SnapshotChunkMqttMessage => ({
  v: 1,
  from: null,
  to,
  digest_key_id: 'k',
  chunk: 0,
  chunks: 1,
  put: [...entries],
  drop: [],
  digest: digestSnapshotEntries(entries),
});

/** Counters that survive a restart of the session. */
export class MemoryReplayWindowStore {
  saved: SavedReplayWindow | null = null;
  read = (): SavedReplayWindow | null => this.saved;
  write = (saved: SavedReplayWindow): void => {
    this.saved = saved;
  };
}

class MemoryEvents {
  readonly waiting: DeviceEvent[] = [];
  readonly #sent = new Set<DeviceEvent>();

  next(): readonly DeviceEvent[] {
    const events = this.waiting.filter(event => !this.#sent.has(event));
    for (const event of events) this.#sent.add(event);
    return events;
  }

  restart(): void {
    this.#sent.clear();
  }

  acknowledged({ event_ids }: MqttMessageContent<'ack'>): void {
    const committed = new Set(event_ids);
    for (const event of this.#sent) if (committed.has(event.id)) this.#sent.delete(event);
    this.waiting.splice(0, this.waiting.length, ...this.waiting.filter(({ id }) => !committed.has(id)));
  }
}

/** A device at revision 1 in virtual time, with a fake bridge. */
export class SessionHarness {
  readonly bridge: FakeBridge;
  readonly clock = new VirtualClock();
  readonly faults = new Set<string>();
  readonly events = new MemoryEvents();
  readonly session: DeviceSession;
  held: StoredRevision | null = { revision: 1, digest: digestSnapshotEntries([]) };
  contacts = 0;
  #entries: SnapshotEntries = new Map();
  #time: Instant = TEST_NOON;
  #setAt = this.clock.now();

  constructor({ bridge = new FakeBridge(), window = new MemoryReplayWindowStore() } = {}) {
    this.bridge = bridge;
    const session = new DeviceSession({
      link: bridge,
      publisher: new UplinkPublisher(bridge, { counter: new UplinkCounter(volatileUplinkCounterStore, 1) }),
      clock: this.clock,
      wall: this,
      log: () => undefined,
      newNonce: () => randomBytes(18).toString('base64url'),
      setFault: (code, message) => (message === null ? this.faults.delete(code) : this.faults.add(code)),
      describe: () => ({
        firmware: 'test',
        product_id: 'virtual',
        digest_key_id: 'k',
        event_sequence: 0,
        clock: { time: this.now(), trusted: true, source: 'bridge' },
      }),
      downlinkWindow: window,
      revocationWindow: new MemoryReplayWindowStore(),
      snapshots: new StagedSnapshotChunks(this),
      events: this.events,
      revoke: () => 0,
      upToDate: () => void this.contacts++,
      services: () => ({ handlers: {}, services: [] }),
    });
    this.session = session;
    bridge.start({
      lastWill: () => session.lastWill(),
      connected: () => session.connected(),
      disconnected: () => session.disconnected(),
      message: (kind, payload) => session.receive(kind, payload),
    });
  }

  /** Connected to a bridge that has nothing new. */
  static async connected(): Promise<SessionHarness> {
    const world = new SessionHarness();
    world.bridge.connect();
    world.respond();
    await world.settled();
    return world;
  }

  now(): Instant {
    return instant(this.#time + (this.clock.now() - this.#setAt));
  }

  setByBridge(time: Instant): void {
    this.#time = time;
    this.#setAt = this.clock.now();
  }

  apply(transfer: CompleteSnapshotTransfer): boolean {
    const applied = applySnapshotChunks(this.#entries, transfer);
    if (applied === null) return false;
    this.#entries = applied;
    this.held = { revision: transfer.to, digest: transfer.digest };
    return true;
  }

  /** The bridge has nothing newer than the device. */
  respond(given: Partial<MqttMessageContent<'time'>> = {}): void {
    this.bridge.sendTime({ time: this.now(), revision: this.held?.revision ?? 0, ...given });
  }

  record(sequence: number): void {
    const id = `evt_${String(sequence).padStart(26, '0')}` as DeviceEvent['id'];
    this.events.waiting.push({ id, sequence, kind: 'fault', occurred_at: this.now(), time_trusted: true });
    this.session.events.wake();
  }

  /** Waits until background work is done. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await setImmediate();
  }

  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.settled();
  }
}
