import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import type * as z from 'zod';
import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { parseJsonBytes } from '../encoding/parse-json-bytes.ts';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';
import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';

/*
 * A signed document in one line: `<payload>.<signature>`, both in base64url. The payload is JSON; the signature is
 * Ed25519 over the domain of the document and the payload.
 */

export interface SignedDocumentKind<S extends z.ZodType> {
  /** Domain separation: the same keys sign frames and documents of several kinds. */
  readonly domain: string;
  /** Shown in messages. */
  readonly name: string;
  readonly schema: S;
}

export type SignBytes = (bytes: Uint8Array) => Uint8Array;

const LONGEST = 8192;
const SIGNATURE_BYTES = 64;

const utf8 = new TextEncoder();

const signingBytes = (domain: string, payload: Uint8Array): Uint8Array => encodeLengthPrefixed([domain, payload]);

/** The content is trustworthy only after the signature is verified. */
export interface UnverifiedDocument<T> {
  readonly content: T;
  readonly signedBytes: Uint8Array;
  readonly signature: Uint8Array;
}

export const signDocument = <S extends z.ZodType>(
  { domain }: SignedDocumentKind<S>,
  content: z.output<S>,
  sign: SignBytes,
): string => {
  const payload = utf8.encode(JSON.stringify(content));
  return `${toBase64url(payload)}.${toBase64url(sign(signingBytes(domain, payload)))}`;
};

export const parseUnverifiedDocument = <S extends z.ZodType>(
  { domain, name, schema }: SignedDocumentKind<S>,
  text: string,
): Result<UnverifiedDocument<z.output<S>>> => {
  const parts = text.length > LONGEST ? [] : text.trim().split('.').map(fromBase64url);
  const [payload, signature] = parts;
  if (parts.length !== 2 || !payload || signature?.length !== SIGNATURE_BYTES) {
    return failed([createProblem('', `invalid_${name.replaceAll(' ', '_')}`, `is not a ${name}`)]);
  }
  const json = parseJsonBytes(payload);
  if (!json.ok) return json;
  const parsed = parseWithSchema(schema, json.value);
  return parsed.ok ? ok({ content: parsed.value, signedBytes: signingBytes(domain, payload), signature }) : parsed;
};

export const verifyDocument = <T>(
  { content, signedBytes, signature }: UnverifiedDocument<T>,
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<T> =>
  verify(signedBytes, signature)
    ? ok(content)
    : failed([createProblem('', 'invalid_signature', 'does not match the key')]);

/** `verify` gets the content, because some documents name the key that signed them. */
export const verifyAndParseSignedDocument = <S extends z.ZodType>(
  kind: SignedDocumentKind<S>,
  text: string,
  verify: (content: z.output<S>, bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<z.output<S>> => {
  const document = parseUnverifiedDocument(kind, text);
  if (!document.ok) return document;
  return verifyDocument(document.value, (...signed) => verify(document.value.content, ...signed));
};
