import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { decodeFrameBody, verifyFrame } from '@lintel/device-link/session/frames/verify-frame';
import { decodeUnverifiedFrame, type SignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { StoredFrameKind } from '../store/unconfirmed-frame-table.ts';
import type { VerifySignature } from '@lintel/crypto/verify-ed25519';

/** The fields that identify an event. */
export interface FrameEventId {
  readonly id: string;
  /** Empty for a controller without epochs. */
  readonly epoch: string;
  readonly sequence: number;
}

export interface VerifiedControllerFrame {
  readonly serial: string;
  /** Empty for a rule change. Null when this version cannot decode the content. */
  readonly events: readonly FrameEventId[] | null;
}

/** The events in a verified frame. Null when this version cannot decode it. */
export const decodeFrameEventIds = ({ header, body }: SignedFrame): readonly FrameEventId[] | null => {
  const message = decodeFrameBody('events', { encoding: header.encoding, body });
  return message.ok
    ? message.value.events.map(({ id, epoch, sequence }) => ({ id, epoch: epoch ?? '', sequence }))
    : null;
};

interface Sender {
  readonly device: DeviceId;
  readonly organization: OrganizationId;
  readonly verifierOf: (serial: string) => VerifySignature | null;
}

/** Null for a frame that the sender has not signed for this organization. The bridge would never acknowledge it. */
export const verifyControllerFrame = (
  kind: StoredFrameKind,
  payload: Uint8Array,
  sender: Sender,
): VerifiedControllerFrame | null => {
  const frame = decodeUnverifiedFrame(payload);
  if (!frame.ok) return null;
  const { serial } = frame.value.header;
  const verify = sender.verifierOf(serial);
  if (verify === null) return null;
  const address = { audience: sender.organization, serial, window: null };
  if (!verifyFrame(kind, frame.value, { id: sender.device, verify }, address).ok) return null;
  return { serial, events: kind === 'events' ? decodeFrameEventIds(frame.value) : [] };
};
