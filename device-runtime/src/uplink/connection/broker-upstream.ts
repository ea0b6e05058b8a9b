import { BrokerConnection } from '@lintel/device-link/connection/broker-connection';
import { CertificateRenewal } from '@lintel/device-link/identity/certificate-renewal';
import { ownDownFilter, parseTopic, revokeTopic, type UpKind, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { signatureVerifier } from '@lintel/crypto/ed25519';
import type { Log } from '@lintel/service/log';
import type { Upstream, UpstreamIdentity, UpstreamListener } from '../upstream.ts';
import type { Claimed, ClaimedIdentity } from './claimed-identity.ts';

export interface BrokerUpstreamOptions {
  readonly identity: ClaimedIdentity;
  /** Instead of those that claiming named. */
  readonly url: string | null;
  /** Of gateways that have been found. */
  readonly gateways: (organizationId: string) => readonly string[];
  /** Ways to the bridge where there is no direct one. */
  readonly proxies: () => readonly string[];
  readonly onConnected: () => void;
  /** By the bridge's word: what certificates are checked against. */
  readonly now: () => number;
  readonly machineNow: () => number;
  readonly log: Log;
}

/** How often a controller that is not claimed looks whether it is. */
const LOOK_MS = 2_000;

const identityOf = ({ membership, keys }: Claimed): UpstreamIdentity => ({
  device_id: membership.device_id,
  organization_id: membership.organization_id,
  serial: membership.serial,
  sign: bytes => keys.sign(bytes),
  isSignedByOrganization: signatureVerifier(membership.organization_key),
});

/** MQTT to the bridge or to the site's gateway, as the device that claiming has made of this controller. */
export class BrokerUpstream implements Upstream {
  readonly #options: BrokerUpstreamOptions;
  readonly #connection: BrokerConnection;
  readonly #renewal: CertificateRenewal;
  #identity: UpstreamIdentity | null = null;
  #listener: UpstreamListener | null = null;
  #look: NodeJS.Timeout | undefined;

  constructor(options: BrokerUpstreamOptions) {
    this.#options = options;
    const { now, machineNow, log } = options;
    const random = Math.random;
    this.#connection = new BrokerConnection({
      urls: () => this.#urls(),
      identity: () => this.#claimed(),
      filters: () => this.#filters(),
      will: () => ({ topic: this.#topic('goodbye'), payload: this.#listener!.lastWill() }),
      now,
      machineNow,
      onConnected: url => this.#connected(url),
      onDisconnected: why => this.#listener?.disconnected(why),
      onMessage: (topic, payload) => this.#heard(topic, payload),
      log,
      random,
    });
    this.#renewal = new CertificateRenewal({
      membership: options.identity.file,
      keys: () => options.identity.keys(),
      now,
      random,
      log,
      proxies: options.proxies,
      onRenewed: () => this.renewed(),
    });
  }

  #claimed(): Claimed {
    const { current } = this.#options.identity;
    if (current === null) throw new Error('the controller is not claimed');
    return current;
  }

  #urls(): readonly string[] {
    const { url, gateways } = this.#options;
    if (url !== null) return [url];
    const { organization_id, brokers } = this.#claimed().membership;
    return [...gateways(organization_id), brokers.mqtts, brokers.mqtt].filter(one => one !== null);
  }

  #filters(): readonly string[] {
    const { device_id, organization_id } = this.#claimed().membership;
    return [ownDownFilter(device_id), revokeTopic(organization_id)];
  }

  #topic(kind: UpKind): string {
    return upTopic(this.#claimed().membership.device_id, kind);
  }

  identity(): UpstreamIdentity | null {
    return this.#identity;
  }

  start(listener: UpstreamListener): void {
    this.#listener = listener;
    this.claimed();
  }

  /** Also later, when somebody has claimed the controller: over its page, or with `lintel enroll` beside it. */
  claimed(): void {
    clearTimeout(this.#look);
    const current = this.#options.identity.read();
    this.#identity = current === null ? null : identityOf(current);
    if (current === null) {
      this.#look = setTimeout(() => this.claimed(), LOOK_MS);
      return;
    }
    this.#connection.start();
    this.#renewal.start();
  }

  /** What claiming gave is another from now on. */
  renewed(): void {
    this.claimed();
    this.#connection.reconnect('the certificate is new');
  }

  /** There may be another way now. A line that holds is left as it is. */
  waysChanged(): void {
    if (this.#identity !== null && !this.#connection.isConnected) this.#connection.reconnect('another way was found');
  }

  #connected(url: string): void {
    this.#listener?.connected(url);
    this.#options.onConnected();
  }

  #heard(topic: string, payload: Uint8Array): void {
    const parsed = parseTopic(topic);
    if (parsed === null || parsed.direction === 'up') return;
    const { device_id, organization_id } = this.#claimed().membership;
    const isOurs =
      parsed.direction === 'down' ? parsed.device_id === device_id : parsed.organization_id === organization_id;
    if (isOurs) this.#listener?.message(parsed.kind, payload);
  }

  publish(kind: UpKind, payload: Uint8Array): Promise<void> {
    return this.#connection.publish(this.#topic(kind), payload);
  }

  clockSet(): void {
    this.#renewal.lookNow();
  }

  reconnect(): void {
    this.#connection.reconnect('the bridge does not answer');
  }

  async stop(goodbye: Uint8Array): Promise<void> {
    clearTimeout(this.#look);
    this.#renewal.stop();
    const isClaimed = this.#options.identity.current !== null;
    await this.#connection.stop(...(isClaimed ? [{ topic: this.#topic('goodbye'), payload: goodbye }] : []));
  }
}
