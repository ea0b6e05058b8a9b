export const concatenateBytes = (parts: readonly Uint8Array[]): Uint8Array => {
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

/** Each part follows its length (four bytes, big-endian), so that no two lists of parts share an encoding. */
export const encodeLengthPrefixed = (parts: readonly Uint8Array[]): Uint8Array =>
  concatenateBytes(parts.flatMap(withLength));
