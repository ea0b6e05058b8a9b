import { randomBytes, randomUUID } from 'node:crypto';
import { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import { Claiming } from '@lintel/device-link/identity/claiming';
import { toldDigestKey } from '@lintel/device-link/identity/digest-key';
import type { GatewayDiscovery } from '@lintel/device-link/discovery/gateway-discovery';
import { openHardwareId } from '@lintel/device-link/identity/hardware-id';
import type { Membership } from '@lintel/device-link/identity/membership';
import { PendingClaimFile } from '@lintel/device-link/identity/pending-claim';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { Controller } from '../controller/controller.ts';
import { PeerRequests } from './peers/peer-requests.ts';
import { Uplink, type UplinkStatus } from './uplink.ts';
import { firmwareVersion } from '../firmware-version.ts';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PeerGadgets } from '../gadgets/peer-gadgets.ts';
import { type PowerSupply, unknownPower } from '@lintel/drivers/ports/power-supply';
import type { UpdateDesk } from '@lintel/updates/device/update-desk';
import type { Upstream } from './upstream.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { TrustedClock } from '../clock/trusted-clock.ts';
import type { SystemTime } from '../clock/system-time.ts';
import { BrokerUpstream } from './connection/broker-upstream.ts';
import { ClaimedIdentity } from './connection/claimed-identity.ts';
import { DigestKeyNews } from './connection/digest-key-upload.ts';

export interface BridgeLineOptions {
  readonly product_id: string;
  /** Reported firmware version, default the version of this program. */
  readonly firmware?: string;
  /** Instead of the brokers that claiming names. */
  readonly url?: string | undefined;
  /** Looks for gateways of the site. */
  readonly discovery?: Pick<GatewayDiscovery, 'urls' | 'proxies' | 'onChange' | 'start' | 'stop'>;
  readonly power?: PowerSupply;
  readonly updates?: UpdateDesk;
  /** The clock that a broker on the same machine uses too, default the system clock. */
  readonly machineNow?: () => number;
  /** Instead of MQTT. */
  readonly line?: (identity: ClaimedIdentity) => RenewableUpstream;
}

/** A line that is told when claiming or looking around has brought something new. */
export type RenewableUpstream = Upstream & Pick<BrokerUpstream, 'renewed' | 'waysChanged'>;

interface BridgeLineParts extends BridgeLineOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: MonotonicClock;
  readonly time: WallClock & Pick<TrustedClock, 'signedNow'>;
  readonly system: SystemTime;
  readonly digestKey: Uint8Array;
  /** False for one that was made because the real one cannot be read: nobody is told of it. */
  readonly isDigestKeyKept: boolean;
}

export interface BridgeLine {
  readonly peers: PeerGadgets;
  readonly upstream: () => UplinkStatus | null;
  readonly claiming: Claiming | null;
  readonly membership: () => Membership | null;
  recorded(event: DeviceEvent): void;
  start(controller: Controller): void;
  stop(): Promise<void>;
}

const NONCE_BYTES = 18;

/** A controller for itself. */
export const noBridge: BridgeLine = {
  peers: { execute: async () => ({ outcome: 'unreachable' }) },
  upstream: () => null,
  claiming: null,
  membership: () => null,
  recorded: () => undefined,
  start: () => undefined,
  stop: async () => undefined,
};

/** The line to the bridge with all that is said on it, and the claim that opens it. */
export const bridgeLine = (parts: BridgeLineParts): BridgeLine => {
  const { dataDir, log, clock, time, system, discovery } = parts;
  const now = (): number => time.now();
  const signedNow = (): number => time.signedNow();
  let controller: Controller | null = null;
  let uplink: Uplink | null = null;
  let news: DigestKeyNews | null = null;
  const proxies = (): readonly string[] =>
    discovery?.proxies(identity.current?.membership.organization_id ?? null) ?? [];
  const identity: ClaimedIdentity = new ClaimedIdentity(dataDir, problem => {
    controller?.setFault('identity', problem);
    if (identity.current !== null) controller?.belongsTo(identity.current.membership);
  });
  const mqtt = (): RenewableUpstream =>
    new BrokerUpstream({
      identity,
      url: parts.url ?? null,
      gateways: organizationId => discovery?.urls(organizationId) ?? [],
      proxies,
      onConnected: () => parts.isDigestKeyKept && news?.look(),
      now: signedNow,
      machineNow: parts.machineNow ?? (() => system.now()),
      log,
    });
  const upstream = parts.line?.(identity) ?? mqtt();
  // Earlier runs have sent fewer messages than the current time has milliseconds.
  const publisher = new UplinkPublisher(upstream, { firstCounter: time.now() });
  const peers = new PeerRequests({ controller: () => controller!, publisher, clock, newRequestId: randomUUID });
  const claiming = new Claiming({
    membership: identity.file,
    pending: new PendingClaimFile(dataDir),
    device: () => ({
      keys: identity.keys(),
      hardwareId: openHardwareId(dataDir, now(), randomBytes),
      digestKey: toldDigestKey(parts.digestKey),
    }),
    now,
    signedNow,
    random: Math.random,
    log,
    proxies,
  });
  claiming.onClaimed(membership => {
    controller?.belongsTo(membership);
    upstream.renewed();
  });
  return {
    peers,
    upstream: () => uplink?.status() ?? null,
    claiming,
    membership: () => identity.current?.membership ?? null,
    recorded: event => uplink?.recorded(event),
    start: started => {
      controller = started;
      uplink = new Uplink({
        ...parts,
        upstream,
        controller,
        publisher,
        peers,
        wall: time,
        state: controller.state,
        power: parts.power ?? unknownPower,
        firmware: parts.firmware ?? firmwareVersion(),
        newNonce: () => randomBytes(NONCE_BYTES).toString('base64url'),
      });
      news = new DigestKeyNews({
        identity,
        key: toldDigestKey(parts.digestKey),
        now: signedNow,
        proxies,
        log,
        onTold: () => upstream.renewed(),
      });
      discovery?.onChange(() => upstream.waysChanged());
      discovery?.start();
      uplink.start();
      claiming.start();
    },
    stop: async () => {
      claiming.stop();
      news?.stop();
      discovery?.stop();
      await uplink?.stop();
    },
  };
};
