import { gunzipSync } from 'node:zlib';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { decodeMessage, LARGEST_MESSAGE } from '@lintel/wire-protocol/mqtt/message-codec';
import { checkFrame, decodeFrame, type SignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { StoredKind } from '../store/frame-table.ts';
import type { VerifySignature } from '@lintel/crypto/ed25519';

/** An event as far as its confirmation needs it. */
export interface BatchedEvent {
  readonly id: string;
  readonly sequence: number;
}

export interface SignedBatch {
  readonly serial: string;
  /** None for an edit of the rules. Null when the content is of a kind that this version does not know. */
  readonly events: readonly BatchedEvent[] | null;
}

const bodyOf = ({ header, body }: SignedFrame): Uint8Array =>
  header.encoding === 'gzip' ? gunzipSync(body, { maxOutputLength: LARGEST_MESSAGE }) : body;

/** What is in a frame of events that has been checked before. Null when it is not understood. */
export const eventsIn = (frame: SignedFrame): readonly BatchedEvent[] | null => {
  try {
    const message = decodeMessage('events', bodyOf(frame));
    return message.ok ? message.value.events.map(({ id, sequence }) => ({ id, sequence })) : null;
  } catch {
    return null;
  }
};

interface Sender {
  readonly device: DeviceId;
  readonly organization: OrganizationId;
  readonly verifierOf: (serial: string) => VerifySignature | null;
}

/**
 * Null for what the bridge would not take: it is not signed by its sender for this organization. Kept, it would be sent
 * again and again without an answer.
 */
export const openBatch = (kind: StoredKind, payload: Uint8Array, sender: Sender): SignedBatch | null => {
  const frame = decodeFrame(payload);
  if (!frame.ok) return null;
  const { serial } = frame.value.header;
  const verify = sender.verifierOf(serial);
  if (verify === null) return null;
  const expected = { kind, signer: sender.device, audience: sender.organization, serial, window: null };
  if (!checkFrame(frame.value, expected, verify).ok) return null;
  return { serial, events: kind === 'events' ? eventsIn(frame.value) : [] };
};
