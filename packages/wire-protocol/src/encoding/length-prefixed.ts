export const concatenate = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const withLength = (part: Uint8Array): Uint8Array[] => {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, part.length);
  return [length, part];
};

/** Each part behind its length (four bytes, big-endian), so that no two lists of parts share their bytes. */
export const lengthPrefixed = (parts: readonly Uint8Array[]): Uint8Array => concatenate(parts.flatMap(withLength));
