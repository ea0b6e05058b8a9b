import type { ReceivedMessageKind, SessionLink } from '@lintel/device-link/session/session-link-interface';

export interface UpstreamListener {
  /** Asked before every attempt to connect: the goodbye that the broker sends when the connection breaks. */
  lastWill(): Uint8Array;
  /** Downlink messages are received from now on. */
  connected(via: string): void;
  disconnected(why: string): void;
  message(kind: ReceivedMessageKind, payload: Uint8Array): void;
}

/** The link to the bridge, direct or through the site's gateway. It reconnects by itself. */
export interface Upstream extends SessionLink {
  start(listener: UpstreamListener): void;
  /** The bridge has sent its time: a certificate renewal may be due now. */
  onTimeReceived(): void;
  /** Sends this goodbye and disconnects within a second or two, whether or not it was received. */
  stop(goodbye: Uint8Array): Promise<void>;
}
