import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionLimits } from '@lintel/device-link/connection/broker-connection';
import { CertificateRenewal } from '@lintel/device-link/identity/certificate-renewal';
import { type DeviceKeys, openDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { digestKeyId } from '@lintel/device-link/identity/digest-key';
import { isForKey } from '@lintel/device-link/identity/issued-check';
import { type Membership, MembershipFile } from '@lintel/device-link/identity/membership';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import type { Log } from '@lintel/service/log';
import type { UpdateDesk } from '@lintel/updates/device/update-desk';
import { Announcement } from './announcement.ts';
import { FloorFile } from './clock/floor-file.ts';
import { SiteClock } from './clock/site-clock.ts';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { ForwardLimits } from './forwarding/forwarder.ts';
import type { StoreLimits } from './forwarding/frame-store.ts';
import { gatewayVersion } from './gateway-version.ts';
import { listeningAt } from './listeners/cannot-listen.ts';
import { type ListenerOptions, SiteListeners } from './listeners/site-listeners.ts';
import { PassingRequests } from './routing/passing-requests.ts';
import { SiteGateway } from './site-gateway.ts';
import { SiteStore } from './site-store.ts';
import { statusOf } from './status/status-of.ts';
import type { GatewayAddresses, StatusDocument } from './status/status-document.ts';
import { StatusServer } from './status/status-server.ts';
import { upkeep } from './upkeep.ts';

export interface GatewayOptions extends ListenerOptions {
  readonly dataDir: string;
  /** The bridge's broker; null takes the addresses that claiming gave. */
  readonly upstream: string | null;
  readonly statusPort: number;
  readonly mdns: boolean;
  readonly log: Log;
  /** Where it was started by its launcher: what it says of its version, and takes orders for another one with. */
  readonly updates?: { readonly desk: UpdateDesk; readonly version: string };
  /** The operating system's clock. */
  readonly system?: () => number;
  readonly claimLookMs?: number;
  readonly storeLimits?: Partial<StoreLimits>;
  readonly forwardLimits?: Partial<ForwardLimits>;
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

export interface RunningGateway {
  addresses(): GatewayAddresses;
  /** Null until it is claimed. */
  deviceId(): string | null;
  membership(): Membership | null;
  /** By the gateway's own clock. */
  now(): number;
  readonly requests: PassingRequests;
  status(): StatusDocument;
  stop(): Promise<void>;
}

/** Where `lintel gateway status` finds a gateway that runs. */
export const statusFile = (dataDir: string): string => join(dataDir, 'gateway', 'status-address.json');

const LOOPBACK = '127.0.0.1';
const CLAIM_LOOK_MS = 2000;
const UPKEEP_MS = 2000;
const OTHER_KEY = 'identity/key.pem is not the key of the certificate. The gateway must be claimed again';

const digestKeyIn = (dataDir: string, faults: FaultRegistry): string => {
  try {
    return digestKeyId(readFileSync(join(dataDir, 'digest.key')));
  } catch (error) {
    faults.set('digest_key', `The bridge will not tell who is of the site: ${(error as Error).message}`);
    return 'none';
  }
};

/** The one place where a gateway's parts are built. Unclaimed it runs all the same, says so, and waits. */
class GatewayProcess implements RunningGateway {
  readonly requests = new PassingRequests(() => performance.now());
  readonly #options: GatewayOptions;
  readonly #clock: SiteClock;
  readonly #faults: FaultRegistry;
  readonly #file: MembershipFile;
  #membership: Membership | null = null;
  #store: SiteStore | null = null;
  #gateway: SiteGateway | null = null;
  #renewal: CertificateRenewal | null = null;
  #listeners: SiteListeners | null = null;
  #announcement: Announcement | null = null;
  #server: StatusServer | null = null;
  #looking: NodeJS.Timeout | undefined;
  #keepingUp: NodeJS.Timeout | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const floor = new FloorFile(join(options.dataDir, 'gateway', 'time-floor.json'));
    this.#clock = new SiteClock({
      monotonic: () => performance.now(),
      system: options.system ?? Date.now,
      floor: floor.read(),
      save: time => {
        if (floor.write(time)) this.#faults.clear('clock_unsaved');
        else this.#faults.set('clock_unsaved', 'The time cannot be kept on the disk');
      },
    });
    this.#faults = new FaultRegistry(() => this.#clock.now());
    this.#file = new MembershipFile(options.dataDir);
  }

  async start(): Promise<void> {
    const { dataDir, statusPort } = this.#options;
    mkdirSync(join(dataDir, 'gateway'), { recursive: true, mode: 0o700 });
    this.#listeners = await SiteListeners.open(this.#options);
    const serving = StatusServer.listen(statusPort, () => this.status());
    this.#server = await listeningAt(LOOPBACK, statusPort, serving);
    this.#tellWhere();
    await this.#look();
    this.#upkeep();
    this.#keepingUp = setInterval(() => this.#upkeep(), UPKEEP_MS);
  }

  #upkeep(): void {
    upkeep({
      faults: this.#faults,
      clock: this.#clock,
      system: this.#options.system ?? Date.now,
      tellWhere: () => this.#tellWhere(),
      store: this.#store,
      gateway: this.#gateway,
    });
  }

  /** A disk that is full is no reason not to serve. */
  #tellWhere(): void {
    try {
      writePrivately(statusFile(this.#options.dataDir), JSON.stringify({ url: this.#server!.url }));
      this.#faults.clear('status_address');
    } catch (error) {
      const message = `lintel gateway status does not find this gateway: ${(error as Error).message}`;
      this.#faults.set('status_address', message);
    }
  }

  /** Somebody may claim it while it runs. */
  async #look(): Promise<void> {
    const { log, claimLookMs = CLAIM_LOOK_MS } = this.#options;
    const read = this.#file.read();
    if (!read.ok) this.#faults.set('membership', read.problems[0]!.message);
    else if (read.value !== null) {
      const keys = openDeviceKeys(this.#options.dataDir);
      if (isForKey(read.value.certificate, keys)) {
        for (const code of ['membership', 'unclaimed', 'identity']) this.#faults.clear(code);
        return this.#begin(read.value, keys);
      }
      this.#faults.set('identity', OTHER_KEY);
    } else
      this.#faults.set(
        'unclaimed',
        'Nobody has claimed this gateway: lintel enroll --data DIR --bridge URL --code CODE',
      );
    if (this.#looking === undefined) log('warn', 'the gateway is not claimed yet and waits');
    this.#looking = setTimeout(() => {
      this.#look().catch((error: unknown) => {
        log('error', 'the gateway cannot begin', { why: (error as Error).message });
        this.#faults.set('start', `The gateway cannot begin: ${(error as Error).message}`);
      });
    }, claimLookMs);
  }

  async #begin(membership: Membership, keys: DeviceKeys): Promise<void> {
    const { dataDir, upstream, mdns, log, storeLimits, forwardLimits, connectionLimits, updates } = this.#options;
    this.#membership = membership;
    this.#clock.issuedAt(Date.parse(new X509Certificate(membership.certificate).validFrom));
    const held = (): Membership => this.#membership!;
    const store = new SiteStore(join(dataDir, 'gateway', 'store.db'), this.#faults, storeLimits);
    this.#store = store;
    const gateway = await SiteGateway.open({
      dataDir,
      membership: held,
      keys,
      digestKeyId: digestKeyIn(dataDir, this.#faults),
      firmware: `lintel-gateway ${updates?.version ?? gatewayVersion()}`,
      requests: this.requests,
      updates: updates?.desk,
      upstreamUrls: () =>
        upstream === null ? [held().brokers.mqtts, held().brokers.mqtt].filter(url => url !== null) : [upstream],
      clock: this.#clock,
      monotonic: () => performance.now(),
      system: this.#options.system ?? Date.now,
      faults: this.#faults,
      store,
      log,
      ...(forwardLimits === undefined ? {} : { forwardLimits }),
      ...(connectionLimits === undefined ? {} : { connectionLimits }),
    });
    this.#gateway = gateway;
    const listeners = this.#listeners!;
    listeners.serve(gateway.broker, keys.privateKeyPem, membership, log);
    if (mdns) {
      const { port, tunnelPort } = listeners;
      const { device_id: deviceId, organization_id: organizationId } = membership;
      this.#announcement = new Announcement({ deviceId, organizationId, port, tunnelPort }, log);
    }
    this.#renewal = new CertificateRenewal({
      membership: this.#file,
      keys: () => keys,
      now: () => this.#clock.now(),
      random: Math.random,
      log,
      onRenewed: renewed => {
        this.#membership = renewed;
        gateway.renewed(renewed);
      },
    });
    this.#renewal.start();
    gateway.start();
  }

  addresses(): GatewayAddresses {
    return { ...this.#listeners!.addresses, status: this.#server!.url };
  }

  deviceId(): string | null {
    return this.#membership?.device_id ?? null;
  }

  membership(): Membership | null {
    return this.#membership;
  }

  now(): number {
    return this.#clock.now();
  }

  status(): StatusDocument {
    return statusOf({
      addresses: this.addresses(),
      membership: this.#membership,
      gateway: this.#gateway,
      store: this.#store,
      clock: this.#clock,
      faults: this.#faults,
      monotonic: performance.now(),
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#looking);
    clearInterval(this.#keepingUp);
    this.#renewal?.stop();
    await this.#announcement?.stop();
    await this.#listeners?.close();
    await this.#gateway?.stop();
    this.#store?.close();
    // Before it is claimed, nobody has told it anything of the time.
    if (this.#gateway !== null) this.#clock.save();
    await this.#server?.close();
  }
}

/** It serves when this resolves, or waits to be claimed. */
export const createGateway = async (options: GatewayOptions): Promise<RunningGateway> => {
  const gateway = new GatewayProcess(options);
  try {
    await gateway.start();
  } catch (error) {
    await gateway.stop();
    throw error;
  }
  return gateway;
};
