import type { DeviceId } from '@lintel/access-core/ids';
import { failed, problem, type Result } from '@lintel/access-core/result';
import { decodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import { checkFrame, decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UpstreamIdentity } from '../upstream.ts';
import type { ServedSlice } from '../../snapshot/active-snapshot.ts';
import { signatureVerifier } from '@lintel/crypto/ed25519';
import { unpacked } from '../frame-body.ts';
import type { PeerKind } from '../uplink-publisher.ts';

export type PeerWord<K extends PeerKind> = { readonly from: DeviceId; readonly message: Message<K> };

/**
 * What another controller says to this one, if the slice names its key. Numbers are not looked at: a request quotes a
 * nonce that is good for once, and an answer the request.
 */
export const openPeerFrame = <K extends PeerKind>(
  kind: K,
  payload: Uint8Array,
  { device_id }: UpstreamIdentity,
  slice: ServedSlice,
): Result<PeerWord<K>> => {
  const frame = decodeFrame(payload);
  if (!frame.ok) return frame;
  const { signer, serial, encoding } = frame.value.header;
  const peer = slice.peer(signer);
  if (peer === undefined)
    return failed([problem('signer', 'unknown_peer', 'is no controller that this one deals with')]);
  // The key decides: a certificate that was renewed for the same key is as good before the slice says so.
  const expected = { kind, signer: peer.id, audience: device_id, serial, window: null };
  const checked = checkFrame(frame.value, expected, signatureVerifier(peer.public_key));
  if (!checked.ok) return checked;
  const body = unpacked({ body: checked.value.body, encoding });
  const read = body.ok ? decodeMessage(kind, body.value) : body;
  return read.ok ? { ok: true, value: { from: peer.id, message: read.value } } : read;
};
