import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { parseWith } from '../schema-parts/parse-with.ts';
import { concatenate, lengthPrefixed } from '../encoding/length-prefixed.ts';
import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { counter, version } from './message-fields.ts';
import { parseJsonBytes } from '../encoding/json-bytes.ts';
import type { MessageKind } from './message-table.ts';
import { acceptNumber, type ReplayWindow } from './replay-window.ts';

/*
 * A signed message on the wire: one line of JSON (the header with its signature), a line feed, and the body's exact
 * bytes. Compressed bodies travel as they are, without the third that base64 would add.
 */

const header = z.object({
  v: version,
  kind: z.string().min(1).max(50),
  /** Whose key: an organization's or a device's id. */
  signer: z.string().min(1).max(80),
  /** For whom: a device, or the whole organization. */
  audience: z.string().min(1).max(80),
  /**
   * Serial number of the certificate that the counter is bound to: the device's that sends or receives. Empty for what is
   * signed once for a whole organization.
   */
  serial: z.string().max(100),
  /** Used once by this signer for this audience under this serial, ascending by one; see `replay-window.ts`. */
  counter,
  encoding: z.enum(['identity', 'gzip']),
});
export type FrameHeader = z.infer<typeof header>;

const signedHeader = z.object({ ...header.shape, sig: z.string().max(100) });

export interface SignedFrame {
  readonly header: FrameHeader;
  readonly signature: Uint8Array;
  readonly body: Uint8Array;
}

const LINE_FEED = 0x0a;
const LONGEST_HEADER = 1024;
/** Keys that sign frames sign other things too; what begins with this is a frame and nothing else. */
const DOMAIN = 'lintel signed frame 1';

const utf8 = new TextEncoder();

/** Each part behind its length (four bytes, big-endian), so that no two frames share their bytes. */
export const signingBytes = (of: FrameHeader, body: Uint8Array): Uint8Array => {
  const texts = [DOMAIN, of.kind, of.signer, of.audience, of.serial, String(of.counter), of.encoding];
  return lengthPrefixed([...texts.map(text => utf8.encode(text)), body]);
};

export const encodeFrame = (of: FrameHeader, body: Uint8Array, sign: (bytes: Uint8Array) => Uint8Array): Uint8Array => {
  const sig = toBase64url(sign(signingBytes(of, body)));
  return concatenate([utf8.encode(JSON.stringify({ ...of, sig })), Uint8Array.of(LINE_FEED), body]);
};

/** The form only. What the frame says is believed after `checkFrame`. */
export const decodeFrame = (bytes: Uint8Array): Result<SignedFrame> => {
  const end = bytes.subarray(0, LONGEST_HEADER).indexOf(LINE_FEED);
  if (end < 0) return failed([problem('', 'no_header', 'must begin with a line of header')]);
  const json = parseJsonBytes(bytes.subarray(0, end));
  if (!json.ok) return json;
  const parsed = parseWith(signedHeader, json.value);
  if (!parsed.ok) return parsed;
  const { sig, ...rest } = parsed.value;
  const signature = fromBase64url(sig);
  if (signature?.length !== 64) return failed([problem('sig', 'invalid_signature', 'must be 64 bytes in base64url')]);
  return ok({ header: rest, signature, body: bytes.subarray(end + 1) });
};

export interface FrameExpectation {
  readonly kind: MessageKind;
  readonly signer: OrganizationId | DeviceId;
  readonly audience: OrganizationId | DeviceId;
  readonly serial: string;
  /** What was accepted so far; null where every frame may come twice, because its content tells. */
  readonly window: ReplayWindow | null;
}

type Verify = (bytes: Uint8Array, signature: Uint8Array) => boolean;

export interface OpenedFrame {
  readonly body: Uint8Array;
  /** What to remember from now on. */
  readonly window: ReplayWindow | null;
}

/** The body, if the frame is what was expected and signed by the key that `verify` holds. */
export const checkFrame = (frame: SignedFrame, expected: FrameExpectation, verify: Verify): Result<OpenedFrame> => {
  for (const field of ['kind', 'signer', 'audience', 'serial'] as const) {
    if (frame.header[field] !== expected[field]) {
      return failed([problem(field, 'wrong_address', `must be '${expected[field]}'`)]);
    }
  }
  const window = expected.window === null ? null : acceptNumber(expected.window, frame.header.counter);
  if (window === null && expected.window !== null) {
    return failed([problem('counter', 'replayed', 'has come before, or is too old to tell')]);
  }
  if (!verify(signingBytes(frame.header, frame.body), frame.signature)) {
    return failed([problem('sig', 'invalid_signature', 'does not fit the key')]);
  }
  return ok({ body: frame.body, window });
};
