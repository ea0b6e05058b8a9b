import { BrokerConnection } from '@lintel/device-link/connection/broker-connection';
import { CertificateRenewal } from '@lintel/device-link/identity/certificate-renewal';
import type { EnrolledDeviceIdentity } from '@lintel/device-link/session/session-link-interface';
import {
  buildDeviceDownlinkFilter,
  parseMqttTopic,
  buildRevocationTopic,
  type UplinkMessageKind,
  buildUplinkTopic,
} from '@lintel/wire-protocol/mqtt/topics';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import type { Log } from '@lintel/service/log-function-type';
import { createTimerErrorLogger, guardTimerWork } from '@lintel/service/timing/repeating-timer';
import type { Upstream, UpstreamListener } from './upstream-interface.ts';
import type { EnrollmentWithKeys, IdentityFileStore } from './identity-files.ts';

export interface MqttUpstreamOptions {
  readonly identity: IdentityFileStore;
  /** Instead of the brokers of the enrollment. */
  readonly url: string | null;
  /** URLs of discovered gateways. */
  readonly gateways: (organizationId: string) => readonly string[];
  /** Proxies to the bridge without a direct connection. */
  readonly proxies: () => readonly string[];
  readonly onConnected: () => void;
  /** The broker or the bridge does not accept this controller. */
  readonly onRefused: () => void;
  /** The bridge has answered with its signed time. */
  readonly onAccepted: () => void;
  /** Time set by the bridge, for certificate checks. */
  readonly now: () => number;
  readonly machineNow: () => number;
  readonly log: Log;
}

/** How often an unclaimed controller checks for an enrollment. */
const CLAIM_CHECK_INTERVAL_MS = 2_000;

const identityOf = ({ enrollment, keys }: EnrollmentWithKeys): EnrolledDeviceIdentity => ({
  device_id: enrollment.device_id,
  organization_id: enrollment.organization_id,
  serial: enrollment.serial,
  sign: bytes => keys.sign(bytes),
  isSignedByOrganization: createSignatureVerifier(enrollment.organization_key),
});

/** The MQTT connection of an enrolled controller to the bridge or to the site's gateway. */
export class MqttUpstream implements Upstream {
  readonly #options: MqttUpstreamOptions;
  readonly #connection: BrokerConnection;
  readonly #renewal: CertificateRenewal;
  #identity: EnrolledDeviceIdentity | null = null;
  #listener: UpstreamListener | null = null;
  #claimCheck: NodeJS.Timeout | undefined;

  constructor(options: MqttUpstreamOptions) {
    this.#options = options;
    const { now, machineNow, log } = options;
    const random = Math.random;
    this.#connection = new BrokerConnection({
      urls: () => this.#urls(),
      identity: () => this.#requireIdentity(),
      filters: () => this.#filters(),
      will: () => ({ topic: this.#topic('goodbye'), payload: this.#listener!.lastWill() }),
      now,
      machineNow,
      onConnected: url => this.#onConnected(url),
      onDisconnected: reason => this.#listener?.disconnected(reason),
      onRefused: options.onRefused,
      onMessage: (topic, payload) => this.#onMessage(topic, payload),
      log,
      random,
    });
    this.#renewal = new CertificateRenewal({
      enrollmentFile: options.identity.file,
      keys: () => options.identity.keys(),
      now,
      random,
      log,
      proxies: options.proxies,
      onRenewed: () => this.reloadIdentity(),
    });
  }

  #requireIdentity(): EnrollmentWithKeys {
    const { current } = this.#options.identity;
    if (current === null) throw new Error('The controller is not claimed');
    return current;
  }

  #urls(): readonly string[] {
    const { url, gateways } = this.#options;
    if (url !== null) return [url];
    const { organization_id, brokers } = this.#requireIdentity().enrollment;
    return [...gateways(organization_id), brokers.mqtts, brokers.mqtt].filter(broker => broker !== null);
  }

  #filters(): readonly string[] {
    const { device_id, organization_id } = this.#requireIdentity().enrollment;
    return [buildDeviceDownlinkFilter(device_id), buildRevocationTopic(organization_id)];
  }

  #topic(kind: UplinkMessageKind): string {
    return buildUplinkTopic(this.#requireIdentity().enrollment.device_id, kind);
  }

  identity(): EnrolledDeviceIdentity | null {
    return this.#identity;
  }

  start(listener: UpstreamListener): void {
    this.#listener = listener;
    this.connectIfClaimed();
  }

  /** Connects once the controller is claimed, by its page or by `lintel enroll`. */
  connectIfClaimed(): void {
    clearTimeout(this.#claimCheck);
    const check = guardTimerWork(() => this.connectIfClaimed(), createTimerErrorLogger(this.#options.log));
    this.#claimCheck = setTimeout(check, CLAIM_CHECK_INTERVAL_MS);
    const current = this.#options.identity.read();
    this.#identity = current === null ? null : identityOf(current);
    if (current === null) return;
    clearTimeout(this.#claimCheck);
    this.#connection.start();
    this.#renewal.start();
  }

  /** Uses the new enrollment. */
  reloadIdentity(): void {
    this.connectIfClaimed();
    this.#connection.reconnect('new certificate');
  }

  /** Tries newly found gateways at once, unless connected. */
  retryConnection(): void {
    if (this.#identity !== null && !this.#connection.isConnected)
      this.#connection.reconnect('another gateway was found');
  }

  #onConnected(url: string): void {
    this.#listener?.connected(url);
    this.#options.onConnected();
  }

  #onMessage(topic: string, payload: Uint8Array): void {
    const parsed = parseMqttTopic(topic);
    if (parsed === null || parsed.direction === 'up') return;
    const { device_id, organization_id } = this.#requireIdentity().enrollment;
    const isOurs =
      parsed.direction === 'down' ? parsed.device_id === device_id : parsed.organization_id === organization_id;
    if (isOurs) this.#listener?.message(parsed.kind, payload);
  }

  publish(kind: UplinkMessageKind, payload: Uint8Array): Promise<void> {
    return this.#connection.publish(this.#topic(kind), payload);
  }

  onTimeReceived(): void {
    this.#options.onAccepted();
    this.#renewal.checkNow();
  }

  reconnect(): void {
    // A broker that knows the authority only may have accepted a controller that the bridge does not know any more.
    this.#options.onRefused();
    this.#connection.reconnect('the bridge does not respond');
  }

  async stop(goodbye: Uint8Array): Promise<void> {
    clearTimeout(this.#claimCheck);
    this.#renewal.stop();
    const isClaimed = this.#options.identity.current !== null;
    await this.#connection.stop(...(isClaimed ? [{ topic: this.#topic('goodbye'), payload: goodbye }] : []));
  }
}
