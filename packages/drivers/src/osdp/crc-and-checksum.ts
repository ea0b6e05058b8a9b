const POLYNOMIAL = 0x1021;
const INITIAL = 0x1d0f;

const table = Uint16Array.from({ length: 256 }, (_, high) => {
  let rest = high << 8;
  for (let bit = 0; bit < 8; bit++) rest = (rest & 0x8000) === 0 ? rest << 1 : (rest << 1) ^ POLYNOMIAL;
  return rest & 0xffff;
});

export const computeOsdpCrc = (bytes: Uint8Array, from: number, to: number): number => {
  let crc = INITIAL;
  for (let at = from; at < to; at++) crc = ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ bytes[at]!]!;
  return crc;
};

/** The two's complement of the sum, so that all bytes of a frame add up to zero. */
export const computeOsdpChecksum = (bytes: Uint8Array, from: number, to: number): number => {
  let sum = 0;
  for (let at = from; at < to; at++) sum += bytes[at]!;
  return -sum & 0xff;
};
