import type { BrokerLimits } from '@lintel/broker/broker-limits';
import type { ServerCredentials } from '@lintel/broker/broker-listeners';
import { GuardedBroker } from '@lintel/broker/guarded-broker';
import type { DeviceIdentity } from '../identity/device-login.ts';
import { type CarriedDevices, mayPublish, maySubscribe } from './broker-access.ts';
import type { DeviceTransport, MessageHandler, PresenceHandler } from './device-transport.ts';

/** Who may come in, and for whom else a gateway speaks. */
export interface DeviceGate {
  readonly byCertificate: (serial: string, commonName: string) => Promise<DeviceIdentity | null>;
  readonly byPassword: (username: string, password: string) => Promise<DeviceIdentity | null>;
  readonly carried: CarriedDevices;
  readonly now: () => number;
}

/** The controllers' broker in this process. */
export class EmbeddedBroker implements DeviceTransport {
  readonly #broker: GuardedBroker<DeviceIdentity>;

  private constructor(broker: GuardedBroker<DeviceIdentity>) {
    this.#broker = broker;
  }

  static async start(gate: DeviceGate, limits: Partial<BrokerLimits> = {}): Promise<EmbeddedBroker> {
    const { byCertificate, byPassword, carried, now } = gate;
    const guard = {
      byCertificate,
      byPassword,
      mayPublish: (identity: DeviceIdentity, topic: string) => mayPublish(identity, carried, topic),
      maySubscribe: (identity: DeviceIdentity, filter: string) => maySubscribe(identity, carried, filter),
    };
    return new EmbeddedBroker(await GuardedBroker.start(guard, { limits, now }));
  }

  /** On loopback only: it has no TLS. Answers the port. */
  listen(host: string, port: number): Promise<number> {
    return this.#broker.listen(host, port);
  }

  /** Controllers show a certificate of this authority. Answers the port. */
  listenTls(host: string, port: number, own: ServerCredentials, authority: string): Promise<number> {
    return this.#broker.listenTls(host, port, own, authority);
  }

  /** For those who connect from now on. */
  replaceCertificate(own: ServerCredentials): void {
    this.#broker.replaceCertificate(own);
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    this.#broker.publish(topic, payload);
  }

  onMessage(handler: MessageHandler): void {
    this.#broker.onMessage(handler);
  }

  onPresence(handler: PresenceHandler): void {
    this.#broker.onPresence(handler);
  }

  sendAway(deviceId: string): void {
    this.#broker.sendAway(deviceId);
  }

  close(): Promise<void> {
    return this.#broker.close();
  }
}
