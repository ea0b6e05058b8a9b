import type { DeviceId } from '@lintel/access-core/ids';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import type { DeviceKeys } from '@lintel/device-link/identity/device-keys';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { DeviceSession } from '@lintel/device-link/session/device-session';
import type { EnrolledDeviceIdentity, SessionLink } from '@lintel/device-link/session/session-link-interface';
import type { ProgramSessionExtensions } from '@lintel/device-link/session/session-dependencies';
import { StagedSnapshotChunks } from '@lintel/device-link/session/snapshot/in-memory-staged-chunks';
import { UplinkCounter, type UplinkCounterStore } from '@lintel/device-link/session/uplink/uplink-counter';
import { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { UpdateHandler } from '@lintel/updates/update-handler-interface';
import { UpdateMessages } from '@lintel/updates/receive-updates-and-publish-reports';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import type { DownlinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { GatewayClock } from '../clock/gateway-clock.ts';
import type { SiteSnapshot } from '../site/site-snapshot.ts';

export interface GatewaySessionDependencies {
  readonly enrollment: () => DeviceEnrollment;
  readonly keys: Pick<DeviceKeys, 'sign'>;
  readonly uplinkCounter: UplinkCounterStore;
  readonly digestKeyId: string;
  readonly firmware: string;
  readonly clock: GatewayClock;
  readonly snapshot: SiteSnapshot;
  readonly faults: FaultRegistry;
  readonly updates?: UpdateHandler | undefined;
  readonly monotonic: MonotonicClock;
  readonly newNonce: () => string;
  readonly log: Log;
  readonly link: Pick<SessionLink, 'publish' | 'reconnect'>;
  readonly status: () => DeviceStatusMqttMessage;
  /** Counter of the newest stored revocation. */
  readonly revokeCounter: number;
  /** The devices of the site are known, or the bridge does not announce them. */
  readonly onReady: () => void;
  readonly onPeers: () => void;
}

/** A bridge that does not announce its revision must not keep the known devices from connecting for longer. */
const READY_MS = 5000;
const PRODUCT = 'gateway';

/** Read each time, because the certificate is renewed while the gateway runs. */
const identityOf = ({ enrollment, keys }: GatewaySessionDependencies): EnrolledDeviceIdentity => {
  const { device_id, organization_id, organization_key, serial } = enrollment();
  return {
    device_id,
    organization_id,
    serial,
    sign: bytes => keys.sign(bytes),
    isSignedByOrganization: createSignatureVerifier(organization_key),
  };
};

/** The gateway as a device of its organization: hello, snapshot, clock, status. */
export class GatewaySession {
  readonly #deps: GatewaySessionDependencies;
  readonly #publisher: UplinkPublisher;
  readonly #session: DeviceSession;
  #isConnected = false;
  #isReady = false;
  #cancelReady: () => void = () => undefined;

  constructor(deps: GatewaySessionDependencies) {
    const { link, clock, monotonic, snapshot, faults, enrollment, revokeCounter } = deps;
    this.#deps = deps;
    const sessionLink: SessionLink = {
      identity: () => identityOf(deps),
      publish: (kind, payload) => link.publish(kind, payload),
      reconnect: () => link.reconnect(),
    };
    this.#publisher = new UplinkPublisher(sessionLink, {
      counter: new UplinkCounter(deps.uplinkCounter, clock.now()),
    });
    const staged = new StagedSnapshotChunks(snapshot);
    this.#session = new DeviceSession({
      ...deps,
      link: sessionLink,
      publisher: this.#publisher,
      clock: monotonic,
      wall: clock,
      setFault: (code, message) => (message === null ? faults.clear(code) : faults.set(code, message)),
      describe: () => this.#describe(),
      downlinkWindow: snapshot,
      // The revocation store already persists the counter.
      revocationWindow: {
        read: () => ({ owner: enrollment().organization_id, window: { highest: revokeCounter, missing: [] } }),
        write: () => undefined,
      },
      snapshots: {
        held: () => staged.held(),
        pendingTransfer: () => staged.pendingTransfer(),
        receive: chunk => {
          const received = staged.receive(chunk);
          if (received.kind === 'applied') deps.onPeers();
          return received;
        },
      },
      revoke: () => 0,
      upToDate: () => this.#setReady(),
      services: () => this.#services(),
    });
  }

  #describe(): ReturnType<ConstructorParameters<typeof DeviceSession>[0]['describe']> {
    const { clock, firmware, digestKeyId: digest_key_id } = this.#deps;
    const source = clock.isTrusted ? 'bridge' : 'floor';
    return {
      firmware,
      product_id: PRODUCT,
      digest_key_id,
      event_sequence: 0,
      clock: { time: clock.now(), trusted: clock.isTrusted, source },
    };
  }

  #services(): ProgramSessionExtensions {
    const updates = new UpdateMessages({
      updates: this.#deps.updates,
      publish: report => void this.#publisher.publish('update-report', report),
    });
    return {
      handlers: { update: message => updates.handle(message) },
      services: [{ setOnline: isOnline => updates.setOnline(isOnline) }],
    };
  }

  /** To be called before each attempt to connect. */
  lastWill(): Uint8Array {
    return this.#session.lastWill();
  }

  connected(): void {
    const { monotonic } = this.#deps;
    this.#isConnected = true;
    this.#isReady = false;
    this.#session.connected();
    this.#cancelReady = monotonic.wake(addMilliseconds(monotonic.now(), READY_MS), () => this.#setReady());
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#cancelReady();
    this.#session.disconnected();
  }

  /** Messages for the gateway itself, or a revocation for its organization. */
  receive(kind: DownlinkMessageKind | 'revoke', payload: Uint8Array): void {
    // Only a gateway reports its link, and there is none above this one.
    if (kind !== 'bridge-link') this.#session.receive(kind, payload);
  }

  /** A signed message about the connected devices. */
  encodeConnectedDevices(devices: readonly DeviceId[]): Uint8Array {
    return this.#publisher.encode('connected-devices', { v: 1, devices: [...devices] });
  }

  sendStatus(): void {
    if (this.#isConnected) void this.#publisher.publish('status', this.#deps.status());
  }

  #setReady(): void {
    if (this.#isReady || !this.#isConnected) return;
    this.#isReady = true;
    this.#cancelReady();
    this.#deps.onReady();
  }

  /** Returns the goodbye to send. */
  stop(): Uint8Array {
    this.#isConnected = false;
    this.#cancelReady();
    return this.#session.stop();
  }
}
