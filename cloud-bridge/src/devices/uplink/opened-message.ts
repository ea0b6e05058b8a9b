import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DeviceId } from '@lintel/access-core/ids';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import { decodeMessage, LARGEST_MESSAGE } from '@lintel/wire-protocol/mqtt/message-codec';
import { type Message, messages } from '@lintel/wire-protocol/mqtt/message-table';
import { checkFrame, decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { Services } from '../../services.ts';
import { keyInForce } from '../identity/device-login.ts';
import { signatureVerifier } from '@lintel/crypto/ed25519';

const unpack = promisify(gunzip);

/**
 * The body of a signed message. Counters are not looked at: what controllers sign names itself (events by their ids, an
 * edit by the revision it was made on), so that it may come twice and in any order.
 */
const openFrame = async (
  services: Services,
  device: DeviceId,
  kind: UpKind,
  payload: Uint8Array,
): Promise<Result<Uint8Array>> => {
  const frame = decodeFrame(payload);
  if (!frame.ok) return frame;
  const { serial, encoding } = frame.value.header;
  const key = await keyInForce(services, device, serial);
  if (key === null) return failed([problem('serial', 'unknown_certificate', 'is no certificate of this device')]);
  const expected = { kind, signer: device, audience: key.organizationId, serial, window: null };
  const checked = checkFrame(frame.value, expected, signatureVerifier(key.publicKey));
  if (!checked.ok || encoding === 'identity') return checked.ok ? ok(checked.value.body) : checked;
  try {
    return ok(await unpack(checked.value.body, { maxOutputLength: LARGEST_MESSAGE }));
  } catch {
    return failed([problem('', 'invalid_encoding', 'must be gzip of a message that is not too large')]);
  }
};

/** A controller's message, if it is well-formed and, where it must be, signed by that very controller. */
export const openMessage = async <K extends UpKind>(
  services: Services,
  device: DeviceId,
  kind: K,
  payload: Uint8Array,
): Promise<Result<Message<K>>> => {
  if (messages[kind].signedBy === null) return decodeMessage(kind, payload);
  const body = await openFrame(services, device, kind, payload);
  return body.ok ? decodeMessage(kind, body.value) : body;
};
