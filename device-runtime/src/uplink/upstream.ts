import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { DownKind, UpKind } from '@lintel/wire-protocol/mqtt/topics';

export type DownWord = DownKind | 'revoke';

/** What claiming has made of this controller. */
export interface UpstreamIdentity {
  readonly device_id: DeviceId;
  readonly organization_id: OrganizationId;
  /** Of the certificate that it uses now: what comes down is bound to it. */
  readonly serial: string;
  /** With the key of that certificate. */
  sign(bytes: Uint8Array): Uint8Array;
  isSignedByOrganization(bytes: Uint8Array, signature: Uint8Array): boolean;
}

export interface UpstreamListener {
  /** Asked before every attempt to connect: the goodbye that others say for us when the line breaks. */
  lastWill(): Uint8Array;
  /** Whatever comes down is heard from now on. */
  connected(via: string): void;
  disconnected(why: string): void;
  message(kind: DownWord, payload: Uint8Array): void;
}

/** The line to the bridge, straight or through the site's gateway. It connects by itself, again and again. */
export interface Upstream {
  /** Null until the controller is claimed. A renewal replaces it. */
  identity(): UpstreamIdentity | null;
  start(listener: UpstreamListener): void;
  /** Settles when the broker has it, which is not yet the bridge's word. Rejects at once when there is no line. */
  publish(kind: UpKind, payload: Uint8Array): Promise<void>;
  /** A new connection, elsewhere if there is a choice. */
  reconnect(): void;
  /** The bridge has told the time: what is due by it may be due now. */
  clockSet(): void;
  /** Says this last goodbye and is gone within a second or two, whether or not anybody has heard it. */
  stop(goodbye: Uint8Array): Promise<void>;
}
