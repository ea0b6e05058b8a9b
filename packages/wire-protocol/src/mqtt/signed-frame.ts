import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { failed, ok, createProblem, type Problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';
import { concatenateBytes, encodeLengthPrefixed } from '../encoding/length-prefixed.ts';
import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { nonNegativeIntegerSchema, wireProtocolVersionSchema } from './message-fields.ts';
import { parseJsonBytes } from '../encoding/parse-json-bytes.ts';
import type { MqttMessageKind } from './message-definitions.ts';
import { acceptFrameNumber, type ReplayWindow } from './replay-window.ts';

/*
 * A signed message on the wire: one line of JSON (the header with its signature), a line feed, and the exact bytes of
 * the body. Compressed bodies need no base64.
 */

const header = z.object({
  v: wireProtocolVersionSchema,
  kind: z.string().min(1).max(50),
  /** Id of the organization or device whose key signed. */
  signer: z.string().min(1).max(80),
  /** A device, or the whole organization. */
  audience: z.string().min(1).max(80),
  /**
   * Serial number of the sending or receiving device's certificate that the counter is bound to. Empty for messages
   * signed once for a whole organization.
   */
  serial: z.string().max(100),
  /** Used once by this signer for this audience and serial, ascending by one; see `replay-window.ts`. */
  counter: nonNegativeIntegerSchema,
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
/** Domain separation: the same keys sign other data too. */
const DOMAIN = 'lintel signed frame 1';

const utf8 = new TextEncoder();

export const encodeFrameSigningBytes = (of: FrameHeader, body: Uint8Array): Uint8Array =>
  encodeLengthPrefixed([DOMAIN, of.kind, of.signer, of.audience, of.serial, String(of.counter), of.encoding, body]);

export const encodeSignedFrame = (
  of: FrameHeader,
  body: Uint8Array,
  sign: (bytes: Uint8Array) => Uint8Array,
): Uint8Array => {
  const sig = toBase64url(sign(encodeFrameSigningBytes(of, body)));
  return concatenateBytes([utf8.encode(JSON.stringify({ ...of, sig })), Uint8Array.of(LINE_FEED), body]);
};

/** Checks the format only. Trustworthy only after `acceptFrame`. */
export const decodeUnverifiedFrame = (bytes: Uint8Array): Result<SignedFrame> => {
  const end = bytes.subarray(0, LONGEST_HEADER).indexOf(LINE_FEED);
  if (end < 0) return failed([createProblem('', 'no_header', 'must begin with a header line')]);
  const json = parseJsonBytes(bytes.subarray(0, end));
  if (!json.ok) return json;
  const parsed = parseWithSchema(signedHeader, json.value);
  if (!parsed.ok) return parsed;
  const { sig, ...rest } = parsed.value;
  const signature = fromBase64url(sig);
  if (signature?.length !== 64)
    return failed([createProblem('sig', 'invalid_signature', 'must be 64 bytes in base64url')]);
  return ok({ header: rest, signature, body: bytes.subarray(end + 1) });
};

export interface FrameExpectation {
  readonly kind: MqttMessageKind;
  readonly signer: OrganizationId | DeviceId;
  readonly audience: OrganizationId | DeviceId;
  readonly serial: string;
  /** The frames accepted so far; null if repetitions are harmless. */
  readonly window: ReplayWindow | null;
}

type Verify = (bytes: Uint8Array, signature: Uint8Array) => boolean;

export interface AcceptedFrame {
  readonly body: Uint8Array;
  /** The new window to store. */
  readonly window: ReplayWindow | null;
}

export const createFrameSignatureProblem = (): Problem =>
  createProblem('sig', 'invalid_signature', 'does not match the key');

/** Checks everything but the signature. */
export const matchUnverifiedFrame = (frame: SignedFrame, expected: FrameExpectation): Result<AcceptedFrame> => {
  for (const field of ['kind', 'signer', 'audience', 'serial'] as const) {
    if (frame.header[field] !== expected[field]) {
      return failed([createProblem(field, 'wrong_address', `must be '${expected[field]}'`)]);
    }
  }
  const window = expected.window === null ? null : acceptFrameNumber(expected.window, frame.header.counter);
  if (window === null && expected.window !== null) {
    return failed([createProblem('counter', 'replayed', 'was used before, or is too old')]);
  }
  return ok({ body: frame.body, window });
};

/** Returns the body if the frame matches the expectation and `verify` accepts its signature. */
export const acceptFrame = (frame: SignedFrame, expected: FrameExpectation, verify: Verify): Result<AcceptedFrame> => {
  const matched = matchUnverifiedFrame(frame, expected);
  if (!matched.ok || verify(encodeFrameSigningBytes(frame.header, frame.body), frame.signature)) return matched;
  return failed([createFrameSignatureProblem()]);
};
