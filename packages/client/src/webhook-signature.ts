const utf8 = new TextEncoder();

const hmacKey = (secret: string) =>
  crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> | null =>
  /^[0-9a-f]{64}$/.test(hex) ? Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16)) : null;

const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> | null =>
  /^[A-Za-z0-9+/]{43}=$/.test(text) ? Uint8Array.from(atob(text), character => character.charCodeAt(0)) : null;

/**
 * Whether the header `X-Service-Sig-SHA256` belongs to the raw body. Verify before you parse the body. False for a header
 * that is missing or malformed.
 */
export const isGenuineDelivery = async (
  secret: string,
  rawBody: Uint8Array<ArrayBuffer>,
  signature: string | null | undefined,
): Promise<boolean> => {
  const given = bytesOfHex(signature ?? '');
  return given !== null && crypto.subtle.verify('HMAC', await hmacKey(secret), given, rawBody);
};

interface StandardHeaders {
  readonly 'webhook-id'?: string | undefined;
  readonly 'webhook-timestamp'?: string | undefined;
  readonly 'webhook-signature'?: string | undefined;
}

const TOLERANCE_SECONDS = 300;

/**
 * Whether the headers of Standard Webhooks belong to the raw body, and the delivery is at most five minutes old, so that a
 * recorded delivery cannot be replayed. `secret` is that of the webhook, in the form in which the bridge returned it.
 */
export const isGenuineStandardDelivery = async (
  secret: string,
  rawBody: Uint8Array<ArrayBuffer>,
  headers: StandardHeaders,
  now: number = Date.now(),
): Promise<boolean> => {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  if (id === '' || !/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const prefix = utf8.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + rawBody.length);
  signed.set(prefix);
  signed.set(rawBody, prefix.length);
  const key = await hmacKey(secret);
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? bytesOfBase64(signature.slice(3)) : null;
    if (given !== null && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
};
