import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import { encodeFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import { type DownKind, downTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { DeviceTransport } from '../transport/device-transport.ts';
import type { DownCounters } from './down-counters.ts';
import type { OrganizationSigners } from './organization-signers.ts';

/** One controller, and the certificate that what goes down to it is bound to. */
export interface Recipient {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly serial: string;
}

export interface EncodedChunk {
  readonly body: Uint8Array;
  readonly encoding: FrameHeader['encoding'];
}

interface Encoded extends EncodedChunk {
  readonly kind: DownKind;
}

/** What goes down: signed by the organization, numbered for the controller. */
export class Downlink {
  readonly #transport: DeviceTransport;
  readonly #signers: OrganizationSigners;
  readonly #counters: DownCounters;

  constructor(transport: DeviceTransport, signers: OrganizationSigners, counters: DownCounters) {
    this.#transport = transport;
    this.#signers = signers;
    this.#counters = counters;
  }

  async send<
    K extends 'ack' | 'action' | 'time' | 'rules' | 'rules-copied' | 'site-directory' | 'technician' | 'update',
  >(to: Recipient, kind: K, message: Message<K>): Promise<void> {
    await this.#publish(to, [{ kind, body: encodeMessage(kind, message), encoding: 'identity' }]);
  }

  async sendChunks(to: Recipient, chunks: readonly EncodedChunk[]): Promise<void> {
    await this.#publish(
      to,
      chunks.map(chunk => ({ ...chunk, kind: 'slice' })),
    );
  }

  async #publish({ deviceId, organizationId, serial }: Recipient, messages: readonly Encoded[]): Promise<void> {
    const { sign } = await this.#signers.of(organizationId);
    const first = await this.#counters.take(serial, messages.length);
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
      await this.#transport.publish(downTopic(deviceId, kind), encodeFrame(header, body, sign));
    }
  }
}
