import { gunzipSync } from 'node:zlib';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import { decodeMessage, LARGEST_MESSAGE } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { checkFrame, decodeFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { VerifySignature } from '@lintel/crypto/ed25519';

export interface Organization {
  readonly id: OrganizationId;
  readonly verify: VerifySignature;
}

type SignedKind = 'ack' | 'slice' | 'time' | 'rules' | 'update' | 'revoke';

export interface OrganizationWord<K extends SignedKind> {
  readonly header: FrameHeader;
  readonly message: Message<K>;
  readonly window: ReplayWindow | null;
}

interface Address {
  readonly audience: DeviceId | OrganizationId;
  /** Null: bound to whichever certificate, since it is somebody else who judges that. */
  readonly serial: string | null;
  readonly window: ReplayWindow | null;
}

const unpacked = (encoding: FrameHeader['encoding'], body: Uint8Array): Uint8Array | null => {
  if (encoding === 'identity') return body;
  try {
    return gunzipSync(body, { maxOutputLength: LARGEST_MESSAGE });
  } catch {
    return null;
  }
};

/** What the organization's key has signed for this audience. Anything else comes back as problems. */
export const openWord = <K extends SignedKind>(
  kind: K,
  payload: Uint8Array,
  organization: Organization,
  { audience, serial, window }: Address,
): Result<OrganizationWord<K>> => {
  const frame = decodeFrame(payload);
  if (!frame.ok) return frame;
  const { header } = frame.value;
  const expected = { kind, signer: organization.id, audience, serial: serial ?? header.serial, window };
  const checked = checkFrame(frame.value, expected, organization.verify);
  if (!checked.ok) return checked;
  const body = unpacked(header.encoding, checked.value.body);
  if (body === null)
    return failed([problem('', 'invalid_encoding', 'must be gzip of a message that is not too large')]);
  const message = decodeMessage(kind, body);
  return message.ok ? ok({ header, message: message.value, window: checked.value.window }) : message;
};
