import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DeviceId } from '@lintel/access-core/ids';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import { decodeMqttMessage, MAX_MQTT_MESSAGE_BYTES } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import {
  createFrameSignatureProblem,
  decodeUnverifiedFrame,
  encodeFrameSigningBytes,
  matchUnverifiedFrame,
} from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { findValidDevicePublicKey } from '../identity/device-authentication.ts';

const decompress = promisify(gunzip);

export const decompressBody = async (
  body: Uint8Array,
  maxOutputLength = MAX_MQTT_MESSAGE_BYTES,
): Promise<Result<Uint8Array>> => {
  try {
    return ok(await decompress(body, { maxOutputLength }));
  } catch {
    return failed([createProblem('', 'invalid_encoding', 'must be gzip of a message that is not too large')]);
  }
};

export interface VerifiedUplinkMessage<K extends UplinkMessageKind> {
  readonly message: MqttMessageContent<K>;
  /** Of the certificate whose key signed the message. */
  readonly serial: string;
  readonly counter: number;
}

/** Verifies the signature of the device. The caller checks whether the counter is new. */
export const verifyAndDecodeUplinkMessage = async <K extends UplinkMessageKind>(
  services: BridgeServices,
  device: DeviceId,
  kind: K,
  payload: Uint8Array,
): Promise<Result<VerifiedUplinkMessage<K>>> => {
  const frame = decodeUnverifiedFrame(payload);
  if (!frame.ok) return frame;
  const { header, signature } = frame.value;
  const { serial, counter, encoding } = header;
  const key = await findValidDevicePublicKey(services, device, serial);
  if (key === null)
    return failed([createProblem('serial', 'unknown_certificate', 'is not a valid certificate of this device')]);
  const expected = { kind, signer: device, audience: key.organizationId, serial, window: null };
  const matched = matchUnverifiedFrame(frame.value, expected);
  if (!matched.ok) return matched;
  const signedBytes = encodeFrameSigningBytes(header, frame.value.body);
  const isSigned = await services.deviceVerifiers.of(key.publicKey).verifyInThread(signedBytes, signature);
  if (!isSigned) return failed([createFrameSignatureProblem()]);
  const body = encoding === 'identity' ? ok(matched.value.body) : await decompressBody(matched.value.body);
  const message = body.ok ? decodeMqttMessage(kind, body.value) : body;
  return message.ok ? ok({ message: message.value, serial, counter }) : message;
};
