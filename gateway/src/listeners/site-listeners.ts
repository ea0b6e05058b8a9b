import type { BrokerClient, GuardedBroker } from '@lintel/broker/guarded-broker';
import type { Membership } from '@lintel/device-link/identity/membership';
import type { Log } from '@lintel/service/log';
import type { GatewayAddresses } from '../status/status-document.ts';
import { BridgeTunnel } from '../tunnel/bridge-tunnel.ts';
import { listeningAt } from './cannot-listen.ts';
import { ReservedPort } from './reserved-port.ts';

export interface ListenerOptions {
  /** Where the devices of the site connect, with TLS. */
  readonly listen: { readonly host: string; readonly port: number };
  /** A plain listener on loopback, for simulated devices; null for none. */
  readonly mqttPort: number | null;
  /** Lets devices without a route of their own reach the bridge's HTTPS; null for none. */
  readonly tunnelPort: number | null;
}

const LOOPBACK = '127.0.0.1';
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Where the site reaches the gateway: bound at the start, so that it is known before anybody has claimed it. */
export class SiteListeners {
  readonly #host: string;
  readonly #open: { tls?: ReservedPort; plain?: ReservedPort; tunnel?: BridgeTunnel } = {};
  #isServed = false;

  private constructor(host: string) {
    this.#host = host;
  }

  static async open({ listen: { host, port }, mqttPort, tunnelPort }: ListenerOptions): Promise<SiteListeners> {
    const listeners = new SiteListeners(host);
    const open = listeners.#open;
    try {
      open.tls = await ReservedPort.at(host, port);
      if (mqttPort !== null) open.plain = await ReservedPort.at(LOOPBACK, mqttPort);
      if (tunnelPort !== null) {
        open.tunnel = await listeningAt(host, tunnelPort, BridgeTunnel.listen(host, tunnelPort));
      }
    } catch (error) {
      await listeners.close();
      throw error;
    }
    return listeners;
  }

  get addresses(): Omit<GatewayAddresses, 'status'> {
    const { plain, tunnel } = this.#open;
    return {
      mqtts: `mqtts://${inUrl(this.#host)}:${this.port}`,
      ...(plain === undefined ? {} : { mqtt: `mqtt://${LOOPBACK}:${plain.port}` }),
      ...(tunnel === undefined ? {} : { tunnel: `http://${inUrl(this.#host)}:${tunnel.port}` }),
    };
  }

  get port(): number {
    return this.#open.tls!.port;
  }

  get tunnelPort(): number | null {
    return this.#open.tunnel?.port ?? null;
  }

  /** The gateway is claimed: from now on they are let in. */
  serve(
    broker: Pick<GuardedBroker<BrokerClient>, 'serve' | 'serveTls'>,
    key: string,
    { certificate, ca_certificate, bridge_url }: Membership,
    log: Log,
  ): void {
    const { tls, plain, tunnel } = this.#open;
    this.#isServed = true;
    broker.serveTls(tls!.handOver(), { key, certificate }, ca_certificate);
    if (plain !== undefined) broker.serve(plain.handOver());
    tunnel?.leadTo(bridge_url, log);
  }

  /** What the broker has taken over it closes itself. */
  async close(): Promise<void> {
    await this.#open.tunnel?.close();
    if (this.#isServed) return;
    await this.#open.tls?.close();
    await this.#open.plain?.close();
  }
}
