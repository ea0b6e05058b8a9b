import type { DeviceId } from '@lintel/access-core/ids';

/** One message of a controller, on a topic of this protocol or not. `from` is who said it, where the broker tells. */
export type MessageHandler = (topic: string, payload: Uint8Array, from?: string | null) => void;

/** What a broker knows at once; where the broker is not ours, a controller's last will tells. */
export type PresenceHandler = (deviceId: DeviceId, isConnected: boolean) => void;

/** The way to the controllers and back: the broker in this process, or one that others run. */
export interface DeviceTransport {
  /** Resolves when the broker has taken it, which says nothing of whom it reached. */
  publish(topic: string, payload: Uint8Array): Promise<void>;
  onMessage(handler: MessageHandler): void;
  onPresence(handler: PresenceHandler): void;
  /** Cuts the device's connection, where it is ours to cut. */
  sendAway(deviceId: string): void;
  close(): Promise<void>;
}
