/** Crockford's digits, without letters that are easily confused. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;
const GROUP = 4;
const BITS_PER_DIGIT = 5;

export const CLAIM_CODE_RANDOM_BYTES = (LENGTH * BITS_PER_DIGIT + 7) >> 3;

/** The short form of a ticket for typing: 60 random bits as `7K3M-0QXW-PT5H`. */
export const formatClaimCode = (randomness: Uint8Array): string => {
  if (randomness.length !== CLAIM_CODE_RANDOM_BYTES)
    throw new RangeError(`A claim code requires ${CLAIM_CODE_RANDOM_BYTES} bytes`);
  let rest = randomness.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  let code = '';
  for (let index = 0; index < LENGTH; index++) {
    if (index > 0 && index % GROUP === 0) code = `-${code}`;
    code = DIGITS[Number(rest & 31n)]! + code;
    rest >>= BigInt(BITS_PER_DIGIT);
  }
  return code;
};

/** Normalizes case, spaces, hyphens and confused letters. Null if the text is not a claim code. */
export const normalizeClaimCode = (typed: string): string | null => {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return plain.length === LENGTH && Array.from(plain).every(digit => DIGITS.includes(digit)) ? plain : null;
};
