import type { DeviceId } from '@lintel/access-core/ids';

/** Receives messages on any topic, known or not. `from` is the connected device, if the broker reports it. */
export type DeviceMessageHandler = (topic: string, payload: Uint8Array, from?: string | null) => void;

/** Called by the embedded broker only. With an external broker, last will and hello messages report presence. */
export type DeviceConnectionHandler = (deviceId: DeviceId, isConnected: boolean) => void;

/** MQTT connection to the controllers, through the embedded or an external broker. */
export interface DeviceTransport {
  /** Resolves when the broker has accepted the message, which does not imply delivery. */
  publish(topic: string, payload: Uint8Array): Promise<void>;
  onMessage(handler: DeviceMessageHandler): void;
  onConnectionChange(handler: DeviceConnectionHandler): void;
  /** Ends the connection of the device. No effect with an external broker. */
  disconnect(deviceId: string): void;
  close(): Promise<void>;
}
