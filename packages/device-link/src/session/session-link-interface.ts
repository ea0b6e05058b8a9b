import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { DownlinkMessageKind, UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';

export type ReceivedMessageKind = DownlinkMessageKind | 'revoke';

/** The identity of an enrolled device. */
export interface EnrolledDeviceIdentity {
  readonly device_id: DeviceId;
  readonly organization_id: OrganizationId;
  /** Of the current certificate: downlink messages are bound to it. */
  readonly serial: string;
  /** With the key of that certificate. */
  sign(bytes: Uint8Array): Uint8Array;
  isSignedByOrganization(bytes: Uint8Array, signature: Uint8Array): boolean;
}

/** The network connection to the bridge, direct or through the site's gateway. */
export interface SessionLink {
  /** Null until the device is claimed. A renewal replaces it. */
  identity(): EnrolledDeviceIdentity | null;
  /** Settles when the broker has the message, which is not an acknowledgement by the bridge. Rejects at once when offline. */
  publish(kind: UplinkMessageKind, payload: Uint8Array): Promise<void>;
  /** Opens a new connection, to another address if there is a choice. */
  reconnect(): void;
}
