import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { encodeSignedFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import { type DownlinkMessageKind, buildDownlinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { DeviceTransport } from '../transport/device-transport-interface.ts';
import type { DownlinkCounterAllocator } from './downlink-counter-allocator.ts';
import type { OrganizationSignerCache } from './organization-signer-cache.ts';

/** A controller, with the serial of the certificate that downlink messages are bound to. */
export interface DownlinkRecipient {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly serial: string;
}

export interface EncodedSnapshotChunk {
  readonly body: Uint8Array;
  readonly encoding: FrameHeader['encoding'];
}

interface EncodedMessage extends EncodedSnapshotChunk {
  readonly kind: DownlinkMessageKind;
}

/** Sends messages to controllers, signed with the organization's key and numbered for each controller. */
export class DownlinkSender {
  readonly #transport: DeviceTransport;
  readonly #signers: OrganizationSignerCache;
  readonly #counters: DownlinkCounterAllocator;

  constructor(transport: DeviceTransport, signers: OrganizationSignerCache, counters: DownlinkCounterAllocator) {
    this.#transport = transport;
    this.#signers = signers;
    this.#counters = counters;
  }

  async send<
    K extends
      | 'ack'
      | 'action'
      | 'time'
      | 'rules'
      | 'rules-copied'
      | 'site-directory'
      | 'technician'
      | 'update'
      | 'resend-events'
      | 'resend-revocations'
      | 'missed-revocations',
  >(to: DownlinkRecipient, kind: K, message: MqttMessageContent<K>): Promise<void> {
    await this.#publish(to, [{ kind, body: encodeMqttMessage(kind, message), encoding: 'identity' }]);
  }

  /** Continues above a counter that the controller has accepted. Returns whether this bridge was below it. */
  continueAbove({ serial }: DownlinkRecipient, seen: number): Promise<boolean> {
    return this.#counters.continueAbove(serial, seen);
  }

  async sendChunks(to: DownlinkRecipient, chunks: readonly EncodedSnapshotChunk[]): Promise<void> {
    await this.#publish(
      to,
      chunks.map(chunk => ({ ...chunk, kind: 'snapshot' })),
    );
  }

  async #publish(
    { deviceId, organizationId, serial }: DownlinkRecipient,
    messages: readonly EncodedMessage[],
  ): Promise<void> {
    const { sign } = await this.#signers.of(organizationId);
    const first = await this.#counters.allocate(serial, messages.length);
    for (const [index, { kind, body, encoding }] of messages.entries()) {
      const header: FrameHeader = {
        v: 1,
        kind,
        signer: organizationId,
        audience: deviceId,
        serial,
        counter: first + index,
        encoding,
      };
      await this.#transport.publish(buildDownlinkTopic(deviceId, kind), encodeSignedFrame(header, body, sign));
    }
  }
}
