import type { SyncRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import type { DownlinkRecipient } from './downlink/downlink-sender.ts';

/**
 * Contents of a controller's snapshot, stored with the revision that it serves. The next delta is computed from it
 * without a list of all members that the controller holds.
 */
export interface SnapshotScope {
  /** The groups whose members are in the snapshot. */
  readonly groups: ReadonlySet<string>;
  /** A short hash for each entry that is not a member, by entry key. */
  readonly structure: ReadonlyMap<string, string>;
}

/** A snapshot at one revision. */
export interface SnapshotDigestAndScope {
  readonly digest: string;
  readonly scope: SnapshotScope;
}

export interface SentSnapshotState extends SnapshotDigestAndScope {
  /** The revision of the newest change that was sent. */
  readonly sentRevision: number;
  /** The revision up to which no further change affects the controller. */
  readonly checkedRevision: number;
}

/** The connection and position of a received message. */
export interface UplinkMessageOrigin {
  /** The device at the other end of the connection: the sender or its gateway. Null if the broker does not tell. */
  readonly from: string | null;
  /** Increases with every message, so that a late task does not undo the effect of a newer message. */
  readonly order: number;
}

/** A request to the controller that is repeated until its answer arrives. */
export interface RequestRetryState {
  count: number;
  /** By the monotonic clock of the process. */
  nextAt: number;
}

/** The connection of a controller or gateway, from its hello to its goodbye. */
export interface ActiveDeviceSession extends DownlinkRecipient {
  readonly nonce: string;
  /** Counter of the hello. */
  readonly helloCounter: number;
  /** Newest accepted counter of each kind of message. */
  readonly newestCounters: Map<string, number>;
  /** By the monotonic clock of the process. */
  lastMessageAt: number;
  /** Origin of the hello message. */
  readonly origin: UplinkMessageOrigin;
  readonly digestKeyId: string;
  /** A digester is created for each transfer, because it takes several kilobytes. */
  readonly digestKey: Uint8Array;
  /** Null until it is known which snapshot the controller holds. */
  snapshot: SentSnapshotState | null;
  /** Revision of a transfer in several chunks that is not complete. Until it is, no other change is sent. */
  pendingRevision: number | null;
  /** Sequence number of the last event that the controller was asked to send again. */
  lastLostEvent: number | null;
  /**
   * For a session from the database, until the controller has reported what it holds: the database may have been restored
   * from a backup.
   */
  positionRequest: RequestRetryState | null;
  /** A request that waits for the revocations of the controller. */
  waitingSyncRequest: SyncRequestMqttMessage | null;
  /** For the revocations that the controller knows. */
  readonly revocationRequest: RequestRetryState;
  /** The controller has sent the revocations that it knows. */
  hasSentRevocations: boolean;
  /** This bridge has lost data, and the controller may know revocations that are among it. */
  awaitsRevocations: boolean;
  /** The controller accepts chunks of a snapshot that is not complete. */
  acceptsOpenSnapshots: boolean;
  /** The controller has never accepted a message of the organization, so that it knows no revocation. */
  isNew: boolean;
  /** Sent snapshots by revision, until the controller reports that it serves them. */
  readonly sentSnapshots: Map<number, SnapshotDigestAndScope>;
}

const MAX_SENT_SNAPSHOTS = 64;

export const recordSentSnapshot = (
  { sentSnapshots }: ActiveDeviceSession,
  revision: number,
  snapshot: SnapshotDigestAndScope,
): void => {
  sentSnapshots.set(revision, snapshot);
  for (const oldest of sentSnapshots.keys()) {
    if (sentSnapshots.size <= MAX_SENT_SNAPSHOTS) return;
    sentSnapshots.delete(oldest);
  }
};

/** The devices that are connected to this bridge. */
export class DeviceSessionRegistry {
  readonly #byDevice = new Map<string, ActiveDeviceSession>();
  readonly #byOrganization = new Map<string, Set<ActiveDeviceSession>>();
  #closed: (deviceId: string) => void = () => undefined;

  /** Calls the listener for every session that ends, also when a new session of the same device replaces it. */
  onClosed(listener: (deviceId: string) => void): void {
    this.#closed = listener;
  }

  get size(): number {
    return this.#byDevice.size;
  }

  of(deviceId: string): ActiveDeviceSession | undefined {
    return this.#byDevice.get(deviceId);
  }

  inOrganization(organizationId: string): readonly ActiveDeviceSession[] {
    return [...(this.#byOrganization.get(organizationId) ?? [])];
  }

  all(): readonly ActiveDeviceSession[] {
    return [...this.#byDevice.values()];
  }

  organizations(): readonly string[] {
    return [...this.#byOrganization.keys()];
  }

  isCurrent(session: ActiveDeviceSession): boolean {
    return this.#byDevice.get(session.deviceId) === session;
  }

  /** Whether the session was opened through this connection and before this message. An unknown connection matches. */
  wasOpenedVia(deviceId: string, { from, order }: UplinkMessageOrigin): boolean {
    const origin = this.#byDevice.get(deviceId)?.origin;
    return origin !== undefined && (origin.from ?? from) === from && origin.order < order;
  }

  open(session: ActiveDeviceSession): void {
    this.close(session.deviceId);
    this.#byDevice.set(session.deviceId, session);
    const sessions = this.#byOrganization.get(session.organizationId) ?? new Set();
    this.#byOrganization.set(session.organizationId, sessions.add(session));
  }

  close(deviceId: string): void {
    const session = this.#byDevice.get(deviceId);
    if (session === undefined) return;
    this.#byDevice.delete(deviceId);
    const sessions = this.#byOrganization.get(session.organizationId);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#byOrganization.delete(session.organizationId);
    this.#closed(deviceId);
  }
}
