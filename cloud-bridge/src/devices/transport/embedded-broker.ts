import type { Log } from '@lintel/service/log-function-type';
import type { BrokerLimits } from '@lintel/broker/broker-limits';
import type { ServerKeyAndCertificate } from '@lintel/broker/broker-listeners';
import { GuardedBroker, type RejectedBrokerLogin } from '@lintel/broker/guarded-broker';
import type { AuthenticatedDevice } from '../identity/device-authentication.ts';
import {
  type GatewayRouteCheck,
  type GatewaySiteDevicesLookup,
  canDeviceOrGatewayReceive,
  canDeviceOrGatewayPublish,
  canDeviceOrGatewaySubscribe,
} from './broker-topic-permissions.ts';
import type { DeviceTransport, DeviceMessageHandler, DeviceConnectionHandler } from './device-transport-interface.ts';

/** Authenticates devices and limits them to their topics. */
export interface EmbeddedBrokerAccess {
  readonly byCertificate: (serial: string, commonName: string) => Promise<AuthenticatedDevice | null>;
  readonly byPassword: (username: string, password: string) => Promise<AuthenticatedDevice | null>;
  readonly siteDevicesOf: GatewaySiteDevicesLookup;
  readonly isRoutedThrough: GatewayRouteCheck;
  readonly now: () => number;
  readonly onRefusedLogin?: (login: RejectedBrokerLogin) => void;
  readonly log?: Log | undefined;
}

/** MQTT broker for controllers in the process of the bridge. */
export class EmbeddedBroker implements DeviceTransport {
  readonly #broker: GuardedBroker<AuthenticatedDevice>;

  private constructor(broker: GuardedBroker<AuthenticatedDevice>) {
    this.#broker = broker;
  }

  static async start(guardOptions: EmbeddedBrokerAccess, limits: Partial<BrokerLimits> = {}): Promise<EmbeddedBroker> {
    const { byCertificate, byPassword, siteDevicesOf, isRoutedThrough, now, onRefusedLogin, log } = guardOptions;
    const guard = {
      byCertificate,
      byPassword,
      mayPublish: (identity: AuthenticatedDevice, topic: string) =>
        canDeviceOrGatewayPublish(identity, siteDevicesOf, topic),
      maySubscribe: (identity: AuthenticatedDevice, filter: string) =>
        canDeviceOrGatewaySubscribe(identity, siteDevicesOf, filter),
      mayReceive: (identity: AuthenticatedDevice, topic: string) =>
        canDeviceOrGatewayReceive(identity, isRoutedThrough, topic),
    };
    return new EmbeddedBroker(await GuardedBroker.start(guard, { limits, now, onRefusedLogin, log }));
  }

  /** Without TLS, so for loopback only. Returns the port. */
  listen(host: string, port: number): Promise<number> {
    return this.#broker.listen(host, port);
  }

  /** Requires client certificates of this authority. Returns the port. */
  listenTls(host: string, port: number, credentials: ServerKeyAndCertificate, authority: string): Promise<number> {
    return this.#broker.listenTls(host, port, credentials, authority);
  }

  /** Applies to new connections. */
  replaceCertificate(credentials: ServerKeyAndCertificate): void {
    this.#broker.replaceCertificate(credentials);
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    this.#broker.publish(topic, payload);
  }

  onMessage(handler: DeviceMessageHandler): void {
    this.#broker.onMessage(handler);
  }

  onConnectionChange(handler: DeviceConnectionHandler): void {
    this.#broker.onConnectionChange(handler);
  }

  disconnect(deviceId: string): void {
    this.#broker.disconnect(deviceId);
  }

  close(): Promise<void> {
    return this.#broker.close();
  }
}
