import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { decodeBody, verifyFrame } from '@lintel/device-link/session/frames/open-frame';
import { decodeFrame, type SignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
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

/** The events in a verified frame. Null when this version cannot decode it. */
export const eventsIn = ({ header, body }: SignedFrame): readonly BatchedEvent[] | null => {
  const message = decodeBody('events', { encoding: header.encoding, body });
  return message.ok ? message.value.events.map(({ id, sequence }) => ({ id, sequence })) : null;
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
  const address = { audience: sender.organization, serial, window: null };
  if (!verifyFrame(kind, frame.value, { id: sender.device, verify }, address).ok) return null;
  return { serial, events: kind === 'events' ? eventsIn(frame.value) : [] };
};
