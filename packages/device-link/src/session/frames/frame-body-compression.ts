import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip } from 'node:zlib';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import { MAX_MQTT_MESSAGE_BYTES } from '@lintel/wire-protocol/mqtt/message-codec';
import type { FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';

export interface FrameBody {
  readonly body: Uint8Array;
  readonly encoding: FrameHeader['encoding'];
}

export type DecompressFrameBody = (frame: FrameBody) => Result<Uint8Array> | Promise<Result<Uint8Array>>;

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Below that, compressing costs more than it saves. */
export const MIN_FRAME_BODY_BYTES_TO_COMPRESS = 2048;
const limit = { maxOutputLength: MAX_MQTT_MESSAGE_BYTES };

const unreadable = (): Result<Uint8Array> =>
  failed([createProblem('', 'invalid_encoding', 'must be gzip of a message that is not too large')]);

export const decompressFrameBody = ({ body, encoding }: FrameBody): Result<Uint8Array> => {
  if (encoding === 'identity') return ok(body);
  try {
    return ok(gunzipSync(body, limit));
  } catch {
    return unreadable();
  }
};

/** For large messages: does not block the event loop. */
export const decompressFrameBodyAsync = async ({ body, encoding }: FrameBody): Promise<Result<Uint8Array>> => {
  if (encoding === 'identity') return ok(body);
  try {
    return ok(await gunzipAsync(body, limit));
  } catch {
    return unreadable();
  }
};

export const compressFrameBody = async (body: Uint8Array): Promise<FrameBody> =>
  body.length < MIN_FRAME_BODY_BYTES_TO_COMPRESS
    ? { body, encoding: 'identity' }
    : { body: await gzipAsync(body), encoding: 'gzip' };
