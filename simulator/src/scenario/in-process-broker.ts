import type { DeviceId } from '@lintel/access-core/ids';
import type {
  DeviceTransport,
  DeviceMessageHandler,
  DeviceConnectionHandler,
} from '@lintel/cloud-bridge/devices/transport/device-transport-interface';
import type { EnrolledDeviceIdentity, ReceivedMessageKind } from '@lintel/device-link/session/session-link-interface';
import { parseMqttTopic, type UplinkMessageKind, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';

export interface InProcessConnection {
  readonly identity: Pick<EnrolledDeviceIdentity, 'device_id' | 'organization_id'>;
  /** Last-will message: published by the broker when the connection is lost. */
  readonly lastWill: Uint8Array;
  readonly receive: (kind: ReceivedMessageKind, payload: Uint8Array) => void;
  readonly disconnected: () => void;
}

/** The bridge responds to these messages with the time. */
const timeRequestKinds: readonly string[] = ['hello', 'time-request'] satisfies UplinkMessageKind[];

/** Delivers protocol messages between the bridge and its controllers within this process, each exactly once. */
export class InProcessBroker implements DeviceTransport {
  readonly #connections = new Map<DeviceId, InProcessConnection>();
  readonly #unanswered = new Map<DeviceId, number>();
  #handle: DeviceMessageHandler = () => undefined;
  #onConnectionChanged: DeviceConnectionHandler = () => undefined;
  #inTransit = 0;

  /** Whether a message is in transit or a time request is unanswered. */
  get isBusy(): boolean {
    return this.#inTransit > 0 || this.#unanswered.values().some(count => count > 0);
  }

  #deliverLater(deliver: () => void): void {
    this.#inTransit += 1;
    setImmediate(() => {
      this.#inTransit -= 1;
      deliver();
    });
  }

  #send(connection: InProcessConnection, kind: ReceivedMessageKind, payload: Uint8Array): void {
    const { device_id } = connection.identity;
    this.#deliverLater(() => {
      if (this.#connections.get(device_id) !== connection) return;
      if (kind === 'time') this.#unanswered.set(device_id, (this.#unanswered.get(device_id) ?? 0) - 1);
      connection.receive(kind, payload);
    });
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    const parsed = parseMqttTopic(topic);
    if (parsed === null || parsed.direction === 'up') return;
    for (const connection of this.#connections.values()) {
      const { device_id, organization_id } = connection.identity;
      const isAddressed =
        parsed.direction === 'down' ? parsed.device_id === device_id : parsed.organization_id === organization_id;
      if (isAddressed) this.#send(connection, parsed.kind, payload);
    }
  }

  onMessage(handler: DeviceMessageHandler): void {
    this.#handle = handler;
  }

  onConnectionChange(handler: DeviceConnectionHandler): void {
    this.#onConnectionChanged = handler;
  }

  attach(connection: InProcessConnection): void {
    this.#connections.set(connection.identity.device_id, connection);
    this.#unanswered.set(connection.identity.device_id, 0);
  }

  publishUplink(connection: InProcessConnection, kind: UplinkMessageKind, payload: Uint8Array): void {
    const { device_id } = connection.identity;
    this.#deliverLater(() => {
      if (this.#connections.get(device_id) !== connection) return;
      if (timeRequestKinds.includes(kind)) this.#unanswered.set(device_id, (this.#unanswered.get(device_id) ?? 0) + 1);
      this.#handle(buildUplinkTopic(device_id, kind), payload, device_id);
    });
  }

  /** Publishes the goodbye, or the last will when the connection broke (`goodbye` is null). */
  detach(connection: InProcessConnection, goodbye: Uint8Array | null): void {
    const { device_id } = connection.identity;
    if (this.#connections.get(device_id) !== connection) return;
    this.#connections.delete(device_id);
    this.#unanswered.delete(device_id);
    this.#deliverLater(() => {
      this.#handle(buildUplinkTopic(device_id, 'goodbye'), goodbye ?? connection.lastWill, device_id);
      this.#onConnectionChanged(device_id, false);
    });
  }

  disconnect(deviceId: string): void {
    const connection = this.#connections.get(deviceId as DeviceId);
    if (connection === undefined) return;
    this.detach(connection, null);
    connection.disconnected();
  }

  async close(): Promise<void> {
    this.#connections.clear();
    this.#unanswered.clear();
  }
}
