import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import type { DownlinkHandlers, ReceivePeerMessage } from './downlink/downlink-receiver.ts';
import type { ReplayWindowStore } from './downlink/replay-window-store-interface.ts';
import type { SessionLink } from './session-link-interface.ts';
import type { SnapshotSyncDependencies } from './snapshot/snapshot-sync.ts';
import type { TimeSync, TimeSyncDependencies } from './time/time-sync.ts';
import type { EventUploaderDependencies } from './uplink/event-uploader.ts';

/** A part of the program that follows the session. */
export interface SessionListener {
  /** There is a new connection, with this nonce. */
  startSession?(nonce: string): void;
  /** True after every hello, false when the bridge cannot be reached. */
  setOnline?(isOnline: boolean): void;
  /** The bridge has sent its current time. */
  timeReceived?(): void;
  /** A response of the bridge took so long that it does not tell the time. */
  timeRejected?(): void;
}

/** What the program does with messages beyond those of the session itself. */
export interface ProgramSessionExtensions {
  readonly handlers: Omit<
    DownlinkHandlers,
    'ack' | 'snapshot' | 'time' | 'revoke' | 'resend-revocations' | 'missed-revocations' | 'bridge-link'
  >;
  readonly services: readonly SessionListener[];
  readonly receivePeer?: ReceivePeerMessage;
}

/** Received revocations as signed frames, also those that the snapshot contains. */
export interface RevocationHistory {
  add(organizationId: string, frame: Uint8Array): void;
  /** The newest ones. */
  list(organizationId: string): readonly Uint8Array[];
}

export interface DeviceSessionDependencies
  extends SnapshotSyncDependencies,
    TimeSyncDependencies,
    EventUploaderDependencies {
  readonly link: SessionLink;
  readonly wall: SnapshotSyncDependencies['wall'] & TimeSyncDependencies['wall'];
  /** What a hello reports besides the state of the session. */
  readonly describe: () => Pick<
    HelloMqttMessage,
    'firmware' | 'product_id' | 'product' | 'digest_key_id' | 'event_sequence' | 'acknowledged_sequence' | 'clock'
  >;
  /** Counters under the current certificate. */
  readonly downlinkWindow: ReplayWindowStore;
  /** Counters of the organization's revocations. */
  readonly revocationWindow: ReplayWindowStore;
  /** Applies a revocation. Returns how many are in force that the snapshot does not contain. */
  readonly revoke: (revoked: RevocationMqttMessage) => number;
  /** Absent for a device that keeps no revocations. */
  readonly revocationHistory?: RevocationHistory;
  /** The device holds everything that the bridge has just announced. */
  readonly upToDate: () => void;
  readonly services: (time: TimeSync) => ProgramSessionExtensions;
}
