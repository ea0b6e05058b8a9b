export const concatenateBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const LENGTH_BYTES = 4;
/** The most UTF-8 bytes that one code unit of a text needs. */
const MOST_BYTES = 3;

const utf8 = new TextEncoder();

/** Writes a text as UTF-8 directly into the target. Returns the number of bytes. */
const writePart = (target: Uint8Array, part: Uint8Array | string): number => {
  if (typeof part === 'string') return utf8.encodeInto(part, target).written;
  target.set(part);
  return part.length;
};

/** Each part follows its length (four bytes, big-endian), so that no two lists of parts share an encoding. */
export const encodeLengthPrefixed = (parts: readonly (Uint8Array | string)[]): Uint8Array => {
  let size = 0;
  for (const part of parts) size += LENGTH_BYTES + (typeof part === 'string' ? MOST_BYTES : 1) * part.length;
  const whole = new Uint8Array(size);
  const view = new DataView(whole.buffer);
  let at = 0;
  for (const part of parts) {
    const length = writePart(whole.subarray(at + LENGTH_BYTES), part);
    view.setUint32(at, length);
    at += LENGTH_BYTES + length;
  }
  return whole.subarray(0, at);
};
