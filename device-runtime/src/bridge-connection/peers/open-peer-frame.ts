import type { DeviceId } from '@lintel/access-core/ids';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { decodeFrameBody, verifyFrame } from '@lintel/device-link/session/frames/verify-frame';
import type { EnrolledDeviceIdentity } from '@lintel/device-link/session/session-link-interface';
import type { PeerMessageKind } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { ActiveSnapshot } from '../../snapshot/active-snapshot.ts';

export type PeerMessage<K extends PeerMessageKind> = {
  readonly from: DeviceId;
  readonly message: MqttMessageContent<K>;
};

/**
 * A message of another controller whose key is in the snapshot. Counters are not checked: a request quotes a nonce that
 * is valid once, and an answer quotes the request.
 */
export const openPeerFrame = <K extends PeerMessageKind>(
  kind: K,
  payload: Uint8Array,
  { device_id }: EnrolledDeviceIdentity,
  snapshot: ActiveSnapshot,
): Result<PeerMessage<K>> => {
  const frame = decodeUnverifiedFrame(payload);
  if (!frame.ok) return frame;
  const peer = snapshot.peer(frame.value.header.signer);
  if (peer === undefined) return failed([createProblem('signer', 'unknown_peer', 'is not a peer of this controller')]);
  // The key decides: a renewed certificate for the same key is valid before the snapshot contains it.
  const signer = { id: peer.id, verify: createSignatureVerifier(peer.public_key) };
  const verified = verifyFrame(kind, frame.value, signer, { audience: device_id, serial: null, window: null });
  if (!verified.ok) return verified;
  const message = decodeFrameBody(kind, verified.value);
  return message.ok ? ok({ from: peer.id, message: message.value }) : message;
};
