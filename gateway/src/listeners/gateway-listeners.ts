import type { BrokerClient, GuardedBroker } from '@lintel/broker/guarded-broker';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import type { Log } from '@lintel/service/log-function-type';
import type { GatewayAddresses } from '../status/status-document-types.ts';
import { BridgeTunnel } from '../tunnel/connect-proxy-for-controllers.ts';
import { rethrowListenErrorWithAddress } from './rethrow-listen-error-with-address.ts';
import { ReservedPort } from './reserved-port.ts';

export interface GatewayListenerOptions {
  /** TLS address for the devices of the site. */
  readonly listen: { readonly host: string; readonly port: number };
  /** A plain listener on loopback, for simulated devices; null for none. */
  readonly mqttPort: number | null;
  /** Tunnel to the bridge's HTTPS for devices without internet access; null for none. */
  readonly tunnelPort: number | null;
}

const LOOPBACK = '127.0.0.1';
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The listeners of the gateway. They are bound at the start, so that the addresses are known before the claim. */
export class GatewayListeners {
  readonly #host: string;
  readonly #open: { tls?: ReservedPort; plain?: ReservedPort; tunnel?: BridgeTunnel } = {};
  #isServed = false;

  private constructor(host: string) {
    this.#host = host;
  }

  static async open({
    listen: { host, port },
    mqttPort,
    tunnelPort,
  }: GatewayListenerOptions): Promise<GatewayListeners> {
    const listeners = new GatewayListeners(host);
    const open = listeners.#open;
    try {
      open.tls = await ReservedPort.open(host, port);
      if (mqttPort !== null) open.plain = await ReservedPort.open(LOOPBACK, mqttPort);
      if (tunnelPort !== null) {
        open.tunnel = await rethrowListenErrorWithAddress(host, tunnelPort, BridgeTunnel.listen(host, tunnelPort));
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

  /** Accepts connections from now on. To be called when the gateway is claimed. */
  serve(
    broker: Pick<GuardedBroker<BrokerClient>, 'serve' | 'serveTls'>,
    key: string,
    { certificate, ca_certificate, bridge_url }: DeviceEnrollment,
    log: Log,
  ): void {
    const { tls, plain, tunnel } = this.#open;
    this.#isServed = true;
    broker.serveTls(tls!.releaseServer(), { key, certificate }, ca_certificate);
    if (plain !== undefined) broker.serve(plain.releaseServer());
    tunnel?.setBridgeUrl(bridge_url, log);
  }

  /** The broker closes the listeners that it has taken over. */
  async close(): Promise<void> {
    await this.#open.tunnel?.close();
    if (this.#isServed) return;
    await this.#open.tls?.close();
    await this.#open.plain?.close();
  }
}
