import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { BrokerConnectionLimits } from '@lintel/device-link/connection/broker-connection';
import { CertificateRenewal } from '@lintel/device-link/identity/certificate-renewal';
import { type DeviceKeys, loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { computeDigestKeyId } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { IdentityError } from '@lintel/device-link/identity/identity-error';
import { isCertificateForKey } from '@lintel/device-link/identity/check-issued-certificate';
import { type DeviceEnrollment, EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import type { Log } from '@lintel/service/log-function-type';
import { createTimerErrorLogger, repeatEvery } from '@lintel/service/timing/repeating-timer';
import type { UpdateHandler } from '@lintel/updates/update-handler-interface';
import { GatewayMdnsAdvertiser } from './gateway-mdns-advertiser.ts';
import { TimeFloorFile } from './clock/time-floor-file.ts';
import { GatewayClock } from './clock/gateway-clock.ts';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { readGatewayVersion } from './gateway-version.ts';
import { HomeAssistantPublisher, type HomeAssistantOptions } from './home-assistant/home-assistant-publisher.ts';
import { rethrowListenErrorWithAddress } from './listeners/rethrow-listen-error-with-address.ts';
import { type GatewayListenerOptions, GatewayListeners } from './listeners/gateway-listeners.ts';
import { RequestsInFlight } from './routing/requests-in-flight.ts';
import { ClaimedGateway } from './claimed-gateway.ts';
import { RevocationStore } from './revocations/store.ts';
import { buildGatewayStatusDocument } from './status/build-status-document.ts';
import type { GatewayAddresses, GatewayStatusDocument } from './status/status-document-types.ts';
import { GatewayStatusServer } from './status/status-server.ts';
import { runGatewayMaintenance } from './run-gateway-maintenance.ts';

export interface GatewayOptions extends GatewayListenerOptions {
  readonly dataDir: string;
  /** Address of the bridge's broker; null for the addresses from the claim. */
  readonly upstream: string | null;
  readonly statusPort: number;
  readonly mdns: boolean;
  /** The broker that Home Assistant uses; absent for none. */
  readonly homeAssistant?: HomeAssistantOptions;
  readonly log: Log;
  /** Present when the gateway was started by its launcher. */
  readonly updates?: { readonly handler: UpdateHandler; readonly version: string };
  /** The operating system's clock. */
  readonly system?: () => number;
  readonly claimCheckMs?: number;
  readonly connectionLimits?: Partial<BrokerConnectionLimits>;
}

export interface RunningGateway {
  addresses(): GatewayAddresses;
  /** Null before the claim. */
  deviceId(): string | null;
  enrollment(): DeviceEnrollment | null;
  /** The time of the gateway's own clock. */
  now(): number;
  readonly requests: RequestsInFlight;
  status(): GatewayStatusDocument;
  stop(): Promise<void>;
}

/** The file from which `lintel gateway status` reads the address of a running gateway. */
export const buildGatewayStatusAddressPath = (dataDir: string): string =>
  join(dataDir, 'gateway', 'status-address.json');

const LOOPBACK = '127.0.0.1';
const DIGEST_KEY_BYTES = 32;
const CLAIM_CHECK_MS = 2000;
const MAINTENANCE_MS = 2000;
const DAMAGED_CERTIFICATE = 'identity/membership.json has a damaged certificate. Claim the gateway again';
const KEY_MISMATCH = 'identity/key.pem does not match the certificate. Claim the gateway again';

const readDigestKeyId = (dataDir: string, faults: FaultRegistry): string => {
  try {
    const key = readFileSync(join(dataDir, 'digest.key'));
    if (key.length !== DIGEST_KEY_BYTES) throw new Error(`it has ${key.length} bytes instead of ${DIGEST_KEY_BYTES}`);
    return computeDigestKeyId(key);
  } catch (error) {
    faults.set(
      'digest_key',
      `The bridge cannot send the devices of the site without digest.key: ${(error as Error).message}`,
    );
    return 'none';
  }
};

/** Null when the gateway can serve its site with the certificates. */
const findCertificateProblem = (
  { certificate, ca_certificate }: Pick<DeviceEnrollment, 'certificate' | 'ca_certificate'>,
  keys: DeviceKeys,
): string | null => {
  try {
    if (!isCertificateForKey(certificate, keys)) return KEY_MISMATCH;
    createSecureContext({ key: keys.privateKeyPem, cert: certificate, ca: ca_certificate });
    const authority = new X509Certificate(ca_certificate);
    return authority.verify(authority.publicKey) ? null : DAMAGED_CERTIFICATE;
  } catch {
    return DAMAGED_CERTIFICATE;
  }
};

/** Builds the parts of the gateway. An unclaimed gateway runs, reports a fault and waits for its claim. */
class GatewayProgram implements RunningGateway {
  readonly requests = new RequestsInFlight(() => performance.now());
  readonly #options: GatewayOptions;
  readonly #clock: GatewayClock;
  readonly #faults: FaultRegistry;
  readonly #file: EnrollmentFile;
  #enrollment: DeviceEnrollment | null = null;
  #revocations: RevocationStore | null = null;
  #gateway: ClaimedGateway | null = null;
  #renewal: CertificateRenewal | null = null;
  #listeners: GatewayListeners | null = null;
  #advertisement: GatewayMdnsAdvertiser | null = null;
  #homeAssistant: HomeAssistantPublisher | null = null;
  #server: GatewayStatusServer | null = null;
  #claimTimer: NodeJS.Timeout | undefined;
  #stopMaintenance = (): void => undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const floor = new TimeFloorFile(join(options.dataDir, 'gateway', 'time-floor.json'));
    const damaged: string[] = [];
    const unreadable: string[] = [];
    this.#clock = new GatewayClock({
      monotonic: () => performance.now(),
      system: options.system ?? Date.now,
      floor: floor.read(
        problem => damaged.push(problem),
        problem => unreadable.push(problem),
      ),
      save: time => {
        if (floor.write(time)) this.#faults.clear('clock_unsaved');
        else this.#faults.set('clock_unsaved', 'The time cannot be saved on the disk');
      },
    });
    this.#faults = new FaultRegistry(() => this.#clock.now());
    for (const problem of damaged) this.#faults.set('clock_damaged', problem);
    for (const problem of unreadable) this.#faults.set('state_unreadable:time-floor', problem);
    this.#file = new EnrollmentFile(options.dataDir);
  }

  async start(): Promise<void> {
    const { dataDir, statusPort } = this.#options;
    mkdirSync(join(dataDir, 'gateway'), { recursive: true, mode: 0o700 });
    this.#listeners = await GatewayListeners.open(this.#options);
    const serving = GatewayStatusServer.listen(statusPort, () => this.status());
    this.#server = await rethrowListenErrorWithAddress(LOOPBACK, statusPort, serving);
    this.#writeStatusAddress();
    await this.#checkClaim();
    this.#runMaintenance();
    const onError = createTimerErrorLogger(this.#options.log);
    this.#stopMaintenance = repeatEvery(MAINTENANCE_MS, () => this.#runMaintenance(), onError);
  }

  #runMaintenance(): void {
    runGatewayMaintenance({
      faults: this.#faults,
      clock: this.#clock,
      system: this.#options.system ?? Date.now,
      writeStatusAddress: () => this.#writeStatusAddress(),
      revocations: this.#revocations,
      gateway: this.#gateway,
    });
  }

  /** A full disk raises a fault but does not stop the gateway. */
  #writeStatusAddress(): void {
    try {
      writePrivateFile(
        buildGatewayStatusAddressPath(this.#options.dataDir),
        JSON.stringify({ url: this.#server!.url }),
      );
      this.#faults.clear('status_address');
    } catch (error) {
      const message = `lintel gateway status cannot find this gateway: ${(error as Error).message}`;
      this.#faults.set('status_address', message);
    }
  }

  /** Starts the gateway once it is claimed, which may happen while it runs. */
  async #checkClaim(): Promise<void> {
    const { log, claimCheckMs = CLAIM_CHECK_MS } = this.#options;
    const read = this.#file.read();
    if (!read.ok) this.#faults.set('membership', read.problems[0]!.message);
    else if (read.value !== null) {
      const keys = this.#openKeys();
      const problem = keys === null ? null : findCertificateProblem(read.value, keys);
      if (keys !== null && problem === null) {
        for (const code of ['membership', 'unclaimed', 'identity']) this.#faults.clear(code);
        return this.#startClaimed(read.value, keys);
      }
      if (problem !== null) this.#faults.set('identity', problem);
    } else
      this.#faults.set(
        'unclaimed',
        'The gateway is not claimed. Claim it with: lintel enroll --data DIR --bridge URL --code CODE',
      );
    if (this.#claimTimer === undefined) log('warn', 'The gateway is not claimed and waits for its claim');
    this.#claimTimer = setTimeout(() => {
      this.#checkClaim().catch((error: unknown) => {
        log('error', 'The gateway cannot start', { why: (error as Error).message });
        this.#faults.set('start', `The gateway cannot start: ${(error as Error).message}`);
      });
    }, claimCheckMs);
  }

  /** Null if the key is lost or damaged, which is reported. */
  #openKeys(): DeviceKeys | null {
    try {
      return loadOrCreateDeviceKeys(this.#options.dataDir);
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      this.#faults.set('identity', error.message);
      return null;
    }
  }

  async #startClaimed(enrollment: DeviceEnrollment, keys: DeviceKeys): Promise<void> {
    const { dataDir, upstream, mdns, log, connectionLimits, updates } = this.#options;
    this.#enrollment = enrollment;
    this.#clock.setCertificateIssueTime(Date.parse(new X509Certificate(enrollment.certificate).validFrom));
    const current = (): DeviceEnrollment => this.#enrollment!;
    const revocations = new RevocationStore(
      join(dataDir, 'gateway', 'revocations.db'),
      enrollment.organization_id,
      this.#faults,
    );
    this.#revocations = revocations;
    const gateway = await ClaimedGateway.open({
      dataDir,
      enrollment: current,
      keys,
      digestKeyId: readDigestKeyId(dataDir, this.#faults),
      firmware: `lintel-gateway ${updates?.version ?? readGatewayVersion()}`,
      requests: this.requests,
      updates: updates?.handler,
      upstreamUrls: () =>
        upstream === null ? [current().brokers.mqtts, current().brokers.mqtt].filter(url => url !== null) : [upstream],
      clock: this.#clock,
      monotonic: () => performance.now(),
      system: this.#options.system ?? Date.now,
      faults: this.#faults,
      revocations,
      log,
      ...(connectionLimits === undefined ? {} : { connectionLimits }),
    });
    this.#gateway = gateway;
    this.#startHomeAssistant(gateway, enrollment);
    const listeners = this.#listeners!;
    listeners.serve(gateway.broker, keys.privateKeyPem, enrollment, log);
    if (mdns) {
      const { port, tunnelPort } = listeners;
      const { device_id: deviceId, organization_id: organizationId } = enrollment;
      this.#advertisement = new GatewayMdnsAdvertiser({ deviceId, organizationId, port, tunnelPort }, log);
    }
    this.#renewal = new CertificateRenewal({
      enrollmentFile: this.#file,
      keys: () => keys,
      now: () => this.#clock.now(),
      random: Math.random,
      log,
      onRenewed: renewed => {
        this.#enrollment = renewed;
        gateway.replaceCertificate(renewed);
      },
    });
    this.#renewal.start();
    gateway.start();
  }

  #startHomeAssistant(gateway: ClaimedGateway, { device_id, organization_id }: DeviceEnrollment): void {
    const { homeAssistant: options, log, updates } = this.#options;
    if (options === undefined) return;
    this.#homeAssistant = new HomeAssistantPublisher({
      options,
      gatewayId: device_id,
      organizationId: organization_id,
      version: updates?.version ?? readGatewayVersion(),
      snapshot: gateway.snapshot,
      isConnected: device => gateway.devices.isConnected(device),
      isOnline: () => gateway.isOnline,
      now: () => this.#clock.now(),
      faults: this.#faults,
      log,
    });
    gateway.observe(this.#homeAssistant);
    this.#homeAssistant.start();
  }

  addresses(): GatewayAddresses {
    return { ...this.#listeners!.addresses, status: this.#server!.url };
  }

  deviceId(): string | null {
    return this.#enrollment?.device_id ?? null;
  }

  enrollment(): DeviceEnrollment | null {
    return this.#enrollment;
  }

  now(): number {
    return this.#clock.now();
  }

  status(): GatewayStatusDocument {
    return buildGatewayStatusDocument({
      addresses: this.addresses(),
      enrollment: this.#enrollment,
      gateway: this.#gateway,
      revocations: this.#revocations,
      clock: this.#clock,
      faults: this.#faults,
      monotonic: performance.now(),
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#claimTimer);
    this.#stopMaintenance();
    this.#renewal?.stop();
    await this.#advertisement?.stop();
    await this.#homeAssistant?.stop();
    await this.#listeners?.close();
    await this.#gateway?.stop();
    this.#revocations?.close();
    // An unclaimed gateway has no time from the bridge that is worth saving.
    if (this.#gateway !== null) this.#clock.save();
    await this.#server?.close();
  }
}

/** Resolves when the gateway serves, or waits for its claim. */
export const startGatewayProgram = async (options: GatewayOptions): Promise<RunningGateway> => {
  const gateway = new GatewayProgram(options);
  try {
    await gateway.start();
  } catch (error) {
    await gateway.stop();
    throw error;
  }
  return gateway;
};
