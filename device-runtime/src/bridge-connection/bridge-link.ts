import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { UplinkCounter } from '@lintel/device-link/session/uplink/uplink-counter';
import { createUplinkCounterFileStore } from '@lintel/device-link/session/uplink/uplink-counter-file';
import { ReplacementCheck } from '@lintel/device-link/identity/replacement-check';
import { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import { ClaimService } from '@lintel/device-link/identity/claim-service';
import { encodeDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import type { GatewayDiscovery } from '@lintel/device-link/discovery/gateway-discovery';
import { loadOrCreateHardwareId } from '@lintel/device-link/identity/hardware-id';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { PendingClaimFile } from '@lintel/device-link/identity/pending-claim';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { SqliteRevocationHistory } from '../credentials/revocation-history-for-restored-bridge.ts';
import type { Controller } from '../controller/controller.ts';
import { PeerRequestClient } from './peers/peer-request-client.ts';
import { BridgeSession, type BridgeSessionStatus } from './bridge-session.ts';
import { readFirmwareVersion } from '../firmware-version.ts';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PeerActionExecutor } from '../gadgets/peer-action-executor-interface.ts';
import { type PowerStatusReader, readUnknownPowerStatus } from '@lintel/drivers/interfaces';
import type { UpdateHandler } from '@lintel/updates/update-handler-interface';
import type { Upstream } from './upstream-interface.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { TrustedClock } from '../clock/trusted-clock.ts';
import type { SystemTime } from '@lintel/service/linux/system-time';
import { MqttUpstream } from './mqtt-upstream.ts';
import { IdentityFileStore } from './identity-files.ts';
import { DigestKeyUploader } from './digest-key-uploader.ts';

export interface BridgeLinkOptions {
  readonly product_id: string;
  /** Null without a chosen profile. */
  readonly product?: HelloMqttMessage['product'];
  /** Reported firmware version, default the version of this program. */
  readonly firmware?: string;
  /** Instead of the brokers of the enrollment. */
  readonly url?: string | undefined;
  /** Finds gateways of the site. */
  readonly discovery?: Pick<GatewayDiscovery, 'urls' | 'proxies' | 'onChange' | 'start' | 'stop'>;
  readonly power?: PowerStatusReader;
  readonly updates?: UpdateHandler;
  /** The clock that a broker on the same machine uses too, default the system clock. */
  readonly machineNow?: () => number;
  /** Instead of MQTT. */
  readonly createUpstream?: (identity: IdentityFileStore) => RenewableUpstream;
}

/** An upstream that reacts to a new enrollment and to discovered gateways. */
export type RenewableUpstream = Upstream & Pick<MqttUpstream, 'reloadIdentity' | 'retryConnection'>;

interface BridgeLinkDependencies extends BridgeLinkOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: MonotonicClock;
  readonly time: WallClock & Pick<TrustedClock, 'signedNow'>;
  readonly system: SystemTime;
  readonly digestKey: Uint8Array;
  /** False for a temporary key because the real one cannot be read. It is not uploaded. */
  readonly isDigestKeyPersistent: boolean;
}

export interface BridgeLink {
  readonly peers: PeerActionExecutor;
  readonly upstream: () => BridgeSessionStatus | null;
  readonly claimService: ClaimService | null;
  readonly enrollment: () => DeviceEnrollment | null;
  onEventRecorded(event: DeviceEvent): void;
  onOlderEventsWaiting(): void;
  start(controller: Controller): void;
  stop(): Promise<void>;
}

const NONCE_BYTES = 18;
const ENROLLMENT_LOST =
  'identity/membership.json is missing. Restore it from a backup, or claim the controller again with a ticket for this device';

/** For a controller without network. */
export const disabledBridgeLink: BridgeLink = {
  peers: { execute: async () => ({ outcome: 'unreachable' }) },
  upstream: () => null,
  claimService: null,
  enrollment: () => null,
  onEventRecorded: () => undefined,
  onOlderEventsWaiting: () => undefined,
  start: () => undefined,
  stop: async () => undefined,
};

/** The connection to the bridge, with its session and the claim. */
export const createBridgeLink = (parts: BridgeLinkDependencies): BridgeLink => {
  const { dataDir, log, clock, time, system, discovery } = parts;
  const now = (): number => time.now();
  const signedNow = (): number => time.signedNow();
  let controller: Controller | null = null;
  let session: BridgeSession | null = null;
  let keyUpload: DigestKeyUploader | null = null;
  const proxies = (): readonly string[] =>
    discovery?.proxies(identity.current?.enrollment.organization_id ?? null) ?? [];
  const identity: IdentityFileStore = new IdentityFileStore(dataDir, problem => {
    const isLost = identity.current === null && controller?.wasClaimed === true;
    controller?.setFault('identity', problem ?? (isLost ? ENROLLMENT_LOST : null));
    if (identity.current !== null) controller?.setOwner(identity.current.enrollment);
  });
  const replacementCheck = new ReplacementCheck({
    enrolled: () => identity.current,
    now: signedNow,
    clock,
    random: Math.random,
    proxies,
    address: () => controller?.technician.page?.address ?? null,
    onReplaced: statement => controller?.setReplacement(statement),
    log,
  });
  const mqtt = (): RenewableUpstream =>
    new MqttUpstream({
      identity,
      url: parts.url ?? null,
      gateways: organizationId => discovery?.urls(organizationId) ?? [],
      proxies,
      onConnected: () => parts.isDigestKeyPersistent && keyUpload?.uploadIfChanged(),
      onRefused: () => replacementCheck.onRefused(),
      onAccepted: () => {
        replacementCheck.reset();
        controller?.setReplacement(null);
      },
      now: signedNow,
      machineNow: parts.machineNow ?? (() => system.now()),
      log,
    });
  const upstream = parts.createUpstream?.(identity) ?? mqtt();
  const counter = new UplinkCounter(createUplinkCounterFileStore(join(dataDir, 'state')), time.now());
  const publisher = new UplinkPublisher(upstream, { counter });
  const revocationHistory = new SqliteRevocationHistory(join(dataDir, 'revocations.db'));
  const peers = new PeerRequestClient({ controller: () => controller!, publisher, clock, newRequestId: randomUUID });
  const claimService = new ClaimService({
    enrollmentFile: identity.file,
    pendingFile: new PendingClaimFile(dataDir),
    device: () => ({
      keys: identity.keysForClaim(),
      hardwareId: loadOrCreateHardwareId(dataDir, now(), randomBytes),
      digestKey: encodeDigestKey(parts.digestKey),
    }),
    now,
    signedNow,
    random: Math.random,
    log,
    proxies,
  });
  claimService.onClaimed(enrollment => {
    replacementCheck.reset();
    controller?.setOwner(enrollment);
    revocationHistory.keepOnly(enrollment.organization_id);
    upstream.reloadIdentity();
  });
  return {
    peers,
    upstream: () => session?.status() ?? null,
    claimService,
    enrollment: () => identity.current?.enrollment ?? null,
    onEventRecorded: event => session?.onEventRecorded(event),
    onOlderEventsWaiting: () => session?.onOlderEventsWaiting(),
    start: started => {
      controller = started;
      const owner = identity.current?.enrollment;
      if (owner !== undefined) revocationHistory.keepOnly(owner.organization_id);
      session = new BridgeSession({
        ...parts,
        upstream,
        controller,
        publisher,
        peers,
        revocationHistory,
        wall: time,
        state: controller.state,
        power: parts.power ?? readUnknownPowerStatus,
        firmware: parts.firmware ?? readFirmwareVersion(),
        newNonce: () => randomBytes(NONCE_BYTES).toString('base64url'),
      });
      keyUpload = new DigestKeyUploader({
        identity,
        key: encodeDigestKey(parts.digestKey),
        now: signedNow,
        proxies,
        log,
        onUploaded: () => upstream.reloadIdentity(),
      });
      discovery?.onChange(() => upstream.retryConnection());
      discovery?.start();
      session.start();
      claimService.start();
    },
    stop: async () => {
      claimService.stop();
      replacementCheck.stop();
      keyUpload?.stop();
      discovery?.stop();
      await session?.stop();
      revocationHistory.close();
    },
  };
};
