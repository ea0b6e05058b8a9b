export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** 32 bytes, for example a key, a SHA-256 digest or a random token. */
export const BASE64URL_32_BYTES = /^[A-Za-z0-9_-]{43}$/;

/** Null unless the text is the canonical encoding of its bytes. */
export const fromBase64url = (text: string): Uint8Array | null => {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));
  return toBase64url(bytes) === text ? bytes : null;
};
