import type { DeviceId } from '@lintel/access-core/ids';

/** Follows the site without taking part in the routing. */
export interface SiteObserver {
  /** The devices or gadgets of the site have changed. */
  siteChanged(): void;
  /** The bridge is reachable, or no longer. */
  linkChanged(): void;
  /** A device has connected or disconnected. */
  connectionChanged(device: DeviceId): void;
  messageReceived(topic: string, payload: Uint8Array, sender: DeviceId): void;
}
