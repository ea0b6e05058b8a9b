import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import {
  compressFrameBody,
  type FrameBody,
  MIN_FRAME_BODY_BYTES_TO_COMPRESS,
} from '../frames/frame-body-compression.ts';
import type { EnrolledDeviceIdentity, SessionLink } from '../session-link-interface.ts';
import type { UplinkCounter } from './uplink-counter.ts';

/** Messages between controllers. */
export type PeerMessageKind = Extract<UplinkMessageKind, `peer-${string}`>;

type Compress = (body: Uint8Array) => FrameBody | Promise<FrameBody>;

export interface UplinkPublisherOptions {
  readonly counter: Pick<UplinkCounter, 'next' | 'skipAhead'>;
  readonly compress?: Compress;
}

export const toUncompressedFrameBody = (body: Uint8Array): FrameBody => ({ body, encoding: 'identity' });

export const signUplink = (
  kind: UplinkMessageKind,
  { body, encoding }: FrameBody,
  identity: Pick<EnrolledDeviceIdentity, 'device_id' | 'serial' | 'sign'>,
  { audience, counter }: { readonly audience: OrganizationId | DeviceId; readonly counter: number },
): Uint8Array => {
  const { device_id: signer, serial } = identity;
  const header = { v: 1, kind, signer, audience, serial, counter, encoding } as const;
  return encodeSignedFrame(header, body, bytes => identity.sign(bytes));
};

/** Encodes, signs and publishes. Queues nothing: a message without a connection is dropped. */
export class UplinkPublisher {
  readonly #link: Pick<SessionLink, 'identity' | 'publish'>;
  readonly #counter: UplinkPublisherOptions['counter'];
  readonly #compress: Compress;
  #batches: Promise<unknown> = Promise.resolve();

  constructor(link: Pick<SessionLink, 'identity' | 'publish'>, options: UplinkPublisherOptions) {
    this.#link = link;
    this.#counter = options.counter;
    this.#compress = options.compress ?? compressFrameBody;
  }

  /** False when the broker did not receive it. */
  async publish<K extends UplinkMessageKind>(kind: K, message: MqttMessageContent<K>): Promise<boolean> {
    const organization = this.#link.identity()?.organization_id;
    return organization !== undefined && this.#send(kind, message, organization);
  }

  publishTo<K extends PeerMessageKind>(peer: DeviceId, kind: K, message: MqttMessageContent<K>): Promise<boolean> {
    return this.#send(kind, message, peer);
  }

  /** For a bridge that does not respond: it ignores messages whose counters it has seen. */
  skipCounters(): void {
    this.#counter.skipAhead();
  }

  /** A signed message that the caller publishes, such as the last will. Empty before the device is claimed. */
  encode<K extends UplinkMessageKind>(kind: K, message: MqttMessageContent<K>): Uint8Array {
    const organization = this.#link.identity()?.organization_id;
    if (organization === undefined) return new Uint8Array();
    return (
      this.#sign(kind, toUncompressedFrameBody(encodeMqttMessage(kind, message)), organization) ?? new Uint8Array()
    );
  }

  async #send<K extends UplinkMessageKind>(
    kind: K,
    message: MqttMessageContent<K>,
    audience: OrganizationId | DeviceId,
  ): Promise<boolean> {
    try {
      const body = encodeMqttMessage(kind, message);
      const signCompressed = async (): Promise<Uint8Array | null> =>
        this.#sign(kind, await this.#compress(body), audience);
      // A small message is published within this call, so that a hello precedes all later messages.
      const payload =
        kind === 'events'
          ? await this.#inOrder(signCompressed)
          : body.length < MIN_FRAME_BODY_BYTES_TO_COMPRESS
            ? this.#sign(kind, toUncompressedFrameBody(body), audience)
            : await signCompressed();
      if (payload === null) return false;
      await this.#link.publish(kind, payload);
      return true;
    } catch {
      // The link reports the lost connection to the sender.
      return false;
    }
  }

  /** A small batch must not overtake a large one that takes longer to compress. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#batches.then(work);
    this.#batches = result.catch(() => undefined);
    return result;
  }

  #sign(kind: UplinkMessageKind, body: FrameBody, audience: OrganizationId | DeviceId): Uint8Array | null {
    const identity = this.#link.identity();
    return identity === null ? null : signUplink(kind, body, identity, { audience, counter: this.#counter.next() });
  }
}
