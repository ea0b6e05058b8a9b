export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** 32 bytes, for example a key, a SHA-256 digest or a random token. */
export const BASE64URL_32_BYTES = /^[A-Za-z0-9_-]{43}$/;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The last character of an incomplete group of four has two or four bits that encode nothing. */
const areUnusedBitsZero = (text: string): boolean => {
  const rest = text.length % 4;
  return rest === 0 || (ALPHABET.indexOf(text.at(-1)!) & (rest === 2 ? 0b1111 : 0b11)) === 0;
};

/** Null unless the text is the canonical encoding of its bytes. */
export const fromBase64url = (text: string): Uint8Array | null => {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1 || !areUnusedBitsZero(text)) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
};
