import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DeviceId } from '@lintel/access-core/ids';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import { decodeMessage, MAX_MESSAGE_BYTES } from '@lintel/wire-protocol/mqtt/message-codec';
import { type MqttMessage, mqttMessages } from '@lintel/wire-protocol/mqtt/message-table';
import { acceptFrame, decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { BridgeServices } from '../../services.ts';
import { findValidKey } from '../identity/device-authentication.ts';
import { signatureVerifier } from '@lintel/crypto/ed25519';

const decompress = promisify(gunzip);

/**
 * Verifies a signed message and returns its body. Ignores counters: signed uplink messages are idempotent (events have
 * ids, edits have a base revision), so they may arrive repeatedly and in any order.
 */
const verifyFrame = async (
  services: BridgeServices,
  device: DeviceId,
  kind: UplinkMessageKind,
  payload: Uint8Array,
): Promise<Result<Uint8Array>> => {
  const frame = decodeFrame(payload);
  if (!frame.ok) return frame;
  const { serial, encoding } = frame.value.header;
  const key = await findValidKey(services, device, serial);
  if (key === null)
    return failed([problem('serial', 'unknown_certificate', 'is not a valid certificate of this device')]);
  const expected = { kind, signer: device, audience: key.organizationId, serial, window: null };
  const checked = acceptFrame(frame.value, expected, signatureVerifier(key.publicKey));
  if (!checked.ok || encoding === 'identity') return checked.ok ? ok(checked.value.body) : checked;
  try {
    return ok(await decompress(checked.value.body, { maxOutputLength: MAX_MESSAGE_BYTES }));
  } catch {
    return failed([problem('', 'invalid_encoding', 'must be gzip of a message that is not too large')]);
  }
};

/** Decodes a message and verifies its signature, if this kind of message must be signed. */
export const decodeUplinkMessage = async <K extends UplinkMessageKind>(
  services: BridgeServices,
  device: DeviceId,
  kind: K,
  payload: Uint8Array,
): Promise<Result<MqttMessage<K>>> => {
  if (mqttMessages[kind].signedBy === null) return decodeMessage(kind, payload);
  const body = await verifyFrame(services, device, kind, payload);
  return body.ok ? decodeMessage(kind, body.value) : body;
};
