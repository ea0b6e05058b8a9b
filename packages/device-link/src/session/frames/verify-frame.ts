import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { ok, type Result } from '@lintel/access-core/result';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent, MqttMessageKind } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import {
  acceptFrame,
  decodeUnverifiedFrame,
  type FrameHeader,
  type SignedFrame,
} from '@lintel/wire-protocol/mqtt/signed-frame';
import type { VerifySignature } from '@lintel/crypto/verify-ed25519';
import { decompressFrameBody, type FrameBody } from './frame-body-compression.ts';

export interface ExpectedFrameSigner {
  readonly id: OrganizationId | DeviceId;
  readonly verify: VerifySignature;
}

export interface ExpectedFrameRecipient {
  readonly audience: OrganizationId | DeviceId;
  /** Null accepts every certificate of the audience. */
  readonly serial: string | null;
  /** Null accepts a frame more than once. */
  readonly window: ReplayWindow | null;
}

export interface VerifiedFrame extends FrameBody {
  readonly header: FrameHeader;
  /** The replay window after this frame. */
  readonly window: ReplayWindow | null;
}

export interface VerifiedMessage<K extends MqttMessageKind> {
  readonly header: FrameHeader;
  readonly message: MqttMessageContent<K>;
  readonly window: ReplayWindow | null;
}

/** Checks kind, signer, audience, serial, counter and signature. The body is still compressed. */
export const verifyFrame = (
  kind: MqttMessageKind,
  frame: SignedFrame,
  signer: ExpectedFrameSigner,
  { audience, serial, window }: ExpectedFrameRecipient,
): Result<VerifiedFrame> => {
  const { header } = frame;
  const expected = { kind, signer: signer.id, audience, serial: serial ?? header.serial, window };
  const checked = acceptFrame(frame, expected, signer.verify);
  return checked.ok ? ok({ header, encoding: header.encoding, ...checked.value }) : checked;
};

export const decodeFrameBody = <K extends MqttMessageKind>(
  kind: K,
  frame: FrameBody,
): Result<MqttMessageContent<K>> => {
  const bytes = decompressFrameBody(frame);
  return bytes.ok ? decodeMqttMessage(kind, bytes.value) : bytes;
};

/** Verifies and decodes one signed message. Keeps no state: the caller stores the window. */
export const verifyAndDecodeFrame = <K extends MqttMessageKind>(
  kind: K,
  payload: Uint8Array,
  signer: ExpectedFrameSigner,
  address: ExpectedFrameRecipient,
): Result<VerifiedMessage<K>> => {
  const frame = decodeUnverifiedFrame(payload);
  const verified = frame.ok ? verifyFrame(kind, frame.value, signer, address) : frame;
  if (!verified.ok) return verified;
  const { header, window } = verified.value;
  const message = decodeFrameBody(kind, verified.value);
  return message.ok ? ok({ header, message: message.value, window }) : message;
};
