import { hash, verify } from '@node-rs/argon2';

/** Argon2id with 19 MiB and two passes: the default of the package and the first recommendation of OWASP. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Compared with when the account does not exist, so that both cases take equally long. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$bGludGVsLW5vYm9keS0xNg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const MIN_LENGTH = 10;
const MAX_LENGTH = 1024;

/** Takes equally long for an account that does not exist (`null`) and for a wrong password. */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> => {
  const matches = await verify(stored ?? dummyHash, password.slice(0, MAX_LENGTH + 1));
  return matches && stored !== null && password.length <= MAX_LENGTH;
};

/** For passwords that the operator sets in a seed file. */
export const isAllowedOperatorSetPassword = (password: string): boolean =>
  password !== '' && password.length <= MAX_LENGTH;

/** Why a user cannot choose this password; null if it is acceptable. */
export const findNewPasswordProblem = (password: string, email: string): string | null => {
  if (password.length < MIN_LENGTH) return `The password must have at least ${MIN_LENGTH} characters.`;
  if (password.length > MAX_LENGTH) return `The password must have at most ${MAX_LENGTH} characters.`;
  if (password.trim().toLowerCase() === email) return 'The password must differ from the email address.';
  return null;
};
