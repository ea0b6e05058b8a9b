import type { Instant } from '@lintel/access-core/instant';
import { DeviceSession } from '@lintel/device-link/session/device-session';
import type { ReceivedMessageKind } from '@lintel/device-link/session/session-link-interface';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { createDownlinkReplayWindowStore, createRevocationReplayWindowStore } from './replay-window-stores.ts';
import { StatusReporter } from './status-reporter.ts';
import { type BridgeSessionServicesDependencies, createBridgeSessionServices } from './bridge-session-services.ts';
import type { UpstreamListener } from './upstream-interface.ts';

export interface BridgeSessionStatus {
  readonly connected: boolean;
  /** The bridge itself can be reached, not only the gateway. */
  readonly online: boolean;
  readonly via: string | null;
  /** Connected through a gateway of the site. */
  readonly throughGateway: boolean;
  /** When it was connected or disconnected. */
  readonly since: Instant;
  readonly last_contact: Instant | null;
  /** Messages that were rejected. */
  readonly dropped: number;
}

const sessionOf = (parts: BridgeSessionServicesDependencies, reports: StatusReporter): DeviceSession => {
  const { upstream, controller, state, wall, firmware, product_id, product = null } = parts;
  return new DeviceSession({
    ...parts,
    link: upstream,
    setFault: (code, message) => controller.setFault(code, message),
    describe: () => ({
      firmware,
      product_id,
      product,
      digest_key_id: controller.digestKeyId,
      event_sequence: controller.lastEventSequence,
      acknowledged_sequence: controller.highestAcknowledgedSequence,
      clock: { time: wall.now(), trusted: wall.isTrusted(), source: wall.source() },
    }),
    downlinkWindow: createDownlinkReplayWindowStore(state),
    revocationWindow: createRevocationReplayWindowStore(state),
    snapshots: {
      held: () => controller.storedSnapshot,
      pendingTransfer: () => controller.pendingTransfer,
      receive: chunk => controller.receiveSnapshot(chunk),
    },
    events: controller.eventQueues,
    revoke: revoked => {
      controller.revoke(revoked);
      return controller.pendingRevocationCount;
    },
    upToDate: () => controller.confirmSnapshot(),
    services: time => createBridgeSessionServices(parts, reports, time),
  });
};

/** The controller's connection to its bridge: the device session with the firmware's services. */
export class BridgeSession implements UpstreamListener {
  readonly #parts: BridgeSessionServicesDependencies;
  readonly #reports: StatusReporter;
  readonly #session: DeviceSession;
  #via: string | null = null;
  #since: Instant;

  constructor(parts: BridgeSessionServicesDependencies) {
    this.#parts = parts;
    this.#reports = new StatusReporter(parts);
    this.#session = sessionOf(parts, this.#reports);
    this.#since = parts.wall.now();
    parts.controller.siteDirectory.onUpdateRequested(() => {
      if (this.#session.isOnline) void parts.publisher.publish('site-request', { v: 1 });
    });
    parts.wall.onSuspectTime(() => this.#session.isOnline && this.#session.time.request());
    parts.wall.onTrusted(() => this.#session.events.wake());
  }

  start(): void {
    this.#parts.upstream.start(this);
  }

  status(): BridgeSessionStatus {
    const { lastContact: last_contact } = this.#parts.controller;
    const { isOnline: online, isThroughGateway: throughGateway, dropped } = this.#session;
    const [via, since] = [this.#via, this.#since];
    return { connected: via !== null, online, via, throughGateway, since, last_contact, dropped };
  }

  /** To be called for every event after it was written. */
  onEventRecorded({ kind }: DeviceEvent): void {
    const reports = this.#reports;
    this.#session.events.wake();
    if (kind === 'state' && reports.isReporting) queueMicrotask(() => reports.isReporting && reports.reportChanges());
  }

  /** To be called when older events wait again. */
  onOlderEventsWaiting(): void {
    this.#session.events.wake();
  }

  lastWill(): Uint8Array {
    return this.#session.lastWill();
  }

  connected(via: string): void {
    this.#via = via;
    this.#since = this.#parts.wall.now();
    this.#session.connected();
  }

  disconnected(): void {
    this.#via = null;
    this.#since = this.#parts.wall.now();
    this.#session.disconnected();
  }

  message(kind: ReceivedMessageKind, payload: Uint8Array): void {
    this.#session.receive(kind, payload);
  }

  /** Accepts nothing any more when it returns; settles when the goodbye is sent. */
  stop(): Promise<void> {
    return this.#parts.upstream.stop(this.#session.stop());
  }
}
