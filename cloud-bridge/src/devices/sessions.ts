import type { Recipient } from './downlink/downlink.ts';
import type { Digester } from '@lintel/crypto/credential-digester';

/**
 * What a controller's slice is made of, kept beside the revision that it serves: with it the next delta can be told
 * without knowing every member that the controller holds.
 */
export interface SliceScope {
  /** The groups whose members are in the slice. */
  readonly groups: ReadonlySet<string>;
  /** Everything but members: each entry's key, and a short hash to see whether it has changed. */
  readonly structure: ReadonlyMap<string, string>;
}

/** What a slice is at a revision. */
export interface KnownSlice {
  readonly digest: string;
  readonly scope: SliceScope;
}

/** How far a controller has been told. */
interface ToldSlice extends KnownSlice {
  /** The revision of the newest change that was sent to it. */
  readonly told: number;
  /** The revision up to which nothing else concerns it. */
  readonly checked: number;
}

/** How a message came. */
export interface Origin {
  /** The device at the other end of the connection: the sender, or a gateway that carries it. Null where nobody knows. */
  readonly from: string | null;
  /** Grows with every message: what one lane does late must not undo what another has done since. */
  readonly order: number;
}

/** A controller's connection, from its hello to its goodbye. */
export interface Session extends Recipient {
  readonly nonce: string;
  /** Of its hello. */
  readonly origin: Origin;
  readonly digestKeyId: string;
  readonly digester: Digester;
  /** Null until the first word on what it holds. */
  slice: ToldSlice | null;
  /** A change in several chunks that it has not got whole yet: nothing else is sent meanwhile. */
  outstanding: number | null;
  /** What was sent, by revision, until it says that it serves it. */
  readonly sent: Map<number, KnownSlice>;
}

const MOST_SENT = 64;

export const noteSent = ({ sent }: Session, revision: number, slice: KnownSlice): void => {
  sent.set(revision, slice);
  for (const oldest of sent.keys()) {
    if (sent.size <= MOST_SENT) return;
    sent.delete(oldest);
  }
};

/** Who is connected to this bridge. */
export class Sessions {
  readonly #byDevice = new Map<string, Session>();
  readonly #byOrganization = new Map<string, Set<Session>>();
  #closed: (deviceId: string) => void = () => undefined;

  /** To be told when a session ends, whatever comes after it. */
  onClosed(listener: (deviceId: string) => void): void {
    this.#closed = listener;
  }

  get size(): number {
    return this.#byDevice.size;
  }

  of(deviceId: string): Session | undefined {
    return this.#byDevice.get(deviceId);
  }

  in(organizationId: string): readonly Session[] {
    return [...(this.#byOrganization.get(organizationId) ?? [])];
  }

  all(): readonly Session[] {
    return [...this.#byDevice.values()];
  }

  organizations(): readonly string[] {
    return [...this.#byOrganization.keys()];
  }

  isCurrent(session: Session): boolean {
    return this.#byDevice.get(session.deviceId) === session;
  }

  /** Whether its session came that way, and not after this. Where nobody knows the way, it may have. */
  cameBy(deviceId: string, { from, order }: Origin): boolean {
    const origin = this.#byDevice.get(deviceId)?.origin;
    return origin !== undefined && (origin.from ?? from) === from && origin.order < order;
  }

  open(session: Session): void {
    this.close(session.deviceId);
    this.#byDevice.set(session.deviceId, session);
    const others = this.#byOrganization.get(session.organizationId) ?? new Set();
    this.#byOrganization.set(session.organizationId, others.add(session));
  }

  close(deviceId: string): void {
    const session = this.#byDevice.get(deviceId);
    if (session === undefined) return;
    this.#byDevice.delete(deviceId);
    const others = this.#byOrganization.get(session.organizationId);
    others?.delete(session);
    if (others?.size === 0) this.#byOrganization.delete(session.organizationId);
    this.#closed(deviceId);
  }
}
