import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { type Message, messages } from '@lintel/wire-protocol/mqtt/message-table';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { Upstream } from './upstream.ts';
import { packed } from './frame-body.ts';

/** What controllers say to one another. */
export type PeerKind = Extract<UpKind, `peer-${string}`>;

/** Says things upwards, signed where they must be. Nothing waits here: what finds no line is not said. */
export class Speaker {
  readonly #upstream: Upstream;
  #counter: number;
  #batches: Promise<unknown> = Promise.resolve();

  /** `firstNumber`: above all that earlier runs have used; nobody refuses a number that was left out. */
  constructor(upstream: Upstream, firstNumber: number) {
    this.#upstream = upstream;
    this.#counter = firstNumber;
  }

  /** The size of what the broker has got, or null when it has not. */
  async say<K extends UpKind>(kind: K, message: Message<K>): Promise<number | null> {
    const organization = this.#upstream.identity()?.organization_id;
    return organization === undefined ? null : this.#send(kind, message, organization);
  }

  sayTo<K extends PeerKind>(peer: DeviceId, kind: K, message: Message<K>): Promise<number | null> {
    return this.#send(kind, message, peer);
  }

  async #send<K extends UpKind>(
    kind: K,
    message: Message<K>,
    audience: OrganizationId | DeviceId,
  ): Promise<number | null> {
    try {
      const body = encodeMessage(kind, message);
      const sign = (): Promise<Uint8Array | null> => this.#signed(kind, body, audience);
      // What is not signed goes out within this very call: a hello is ahead of whatever is said next.
      const isPlain = messages[kind].signedBy === null;
      const payload = isPlain ? body : await (kind === 'events' ? this.#inTurn(sign) : sign());
      if (payload === null) return null;
      await this.#upstream.publish(kind, payload);
      return payload.length;
    } catch {
      // The line is gone, and whoever wanted to say this hears of it by that.
      return null;
    }
  }

  /** A large batch takes a while to pack, and the small one behind it must not overtake it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#batches.then(work);
    this.#batches = mine.catch(() => undefined);
    return mine;
  }

  async #signed(kind: UpKind, plain: Uint8Array, audience: OrganizationId | DeviceId): Promise<Uint8Array | null> {
    const { body, encoding } = await packed(plain);
    const identity = this.#upstream.identity();
    if (identity === null) return null;
    const { device_id: signer, serial } = identity;
    const header = { v: 1, kind, signer, audience, serial, counter: ++this.#counter, encoding } as const;
    return encodeFrame(header, body, bytes => identity.sign(bytes));
  }
}
