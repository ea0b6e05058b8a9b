import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { type MqttMessage, mqttMessages } from '@lintel/wire-protocol/mqtt/message-table';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { compress, type FrameBody } from '../frames/frame-body.ts';
import type { DeviceIdentity, SessionLink } from '../session-link.ts';

/** Messages between controllers. */
export type PeerKind = Extract<UplinkMessageKind, `peer-${string}`>;

type Compress = (body: Uint8Array) => FrameBody | Promise<FrameBody>;

export interface UplinkPublisherOptions {
  /** Higher than all counters of earlier runs; gaps are accepted. */
  readonly firstCounter: number;
  readonly compress?: Compress;
}

export const withoutCompression = (body: Uint8Array): FrameBody => ({ body, encoding: 'identity' });

export const signUplink = (
  kind: UplinkMessageKind,
  { body, encoding }: FrameBody,
  identity: Pick<DeviceIdentity, 'device_id' | 'serial' | 'sign'>,
  { audience, counter }: { readonly audience: OrganizationId | DeviceId; readonly counter: number },
): Uint8Array => {
  const { device_id: signer, serial } = identity;
  const header = { v: 1, kind, signer, audience, serial, counter, encoding } as const;
  return encodeFrame(header, body, bytes => identity.sign(bytes));
};

/** Encodes, signs where the kind requires it, and publishes. Queues nothing: what finds no connection is dropped. */
export class UplinkPublisher {
  readonly #link: Pick<SessionLink, 'identity' | 'publish'>;
  readonly #compress: Compress;
  #counter: number;
  #batches: Promise<unknown> = Promise.resolve();

  constructor(link: Pick<SessionLink, 'identity' | 'publish'>, options: UplinkPublisherOptions) {
    this.#link = link;
    this.#counter = options.firstCounter;
    this.#compress = options.compress ?? compress;
  }

  /** False when the broker did not receive it. */
  async publish<K extends UplinkMessageKind>(kind: K, message: MqttMessage<K>): Promise<boolean> {
    const organization = this.#link.identity()?.organization_id;
    return organization !== undefined && this.#send(kind, message, organization);
  }

  publishTo<K extends PeerKind>(peer: DeviceId, kind: K, message: MqttMessage<K>): Promise<boolean> {
    return this.#send(kind, message, peer);
  }

  async #send<K extends UplinkMessageKind>(
    kind: K,
    message: MqttMessage<K>,
    audience: OrganizationId | DeviceId,
  ): Promise<boolean> {
    try {
      const body = encodeMessage(kind, message);
      const sign = (): Promise<Uint8Array | null> => this.#signed(kind, body, audience);
      // An unsigned message is published within this very call: a hello precedes whatever is sent next.
      const isPlain = mqttMessages[kind].signedBy === null;
      const payload = isPlain ? body : await (kind === 'events' ? this.#inOrder(sign) : sign());
      if (payload === null) return false;
      await this.#link.publish(kind, payload);
      return true;
    } catch {
      // The connection is gone, which the sender learns from the link.
      return false;
    }
  }

  /** A small batch must not overtake a large one that takes longer to compress. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#batches.then(work);
    this.#batches = result.catch(() => undefined);
    return result;
  }

  async #signed(
    kind: UplinkMessageKind,
    plain: Uint8Array,
    audience: OrganizationId | DeviceId,
  ): Promise<Uint8Array | null> {
    const body = await this.#compress(plain);
    const identity = this.#link.identity();
    return identity === null ? null : signUplink(kind, body, identity, { audience, counter: ++this.#counter });
  }
}
