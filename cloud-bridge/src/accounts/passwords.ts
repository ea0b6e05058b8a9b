import { hash, verify } from '@node-rs/argon2';
import { MAX_PASSWORD_LENGTH } from './password-policy.ts';

/** Argon2id with 19 MiB and two passes: the default of the package and the first recommendation of OWASP. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Compared with when the account does not exist, so that both cases take equally long. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$bGludGVsLW5vYm9keS0xNg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Takes equally long for an account that does not exist (`null`) and for a wrong password. */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> => {
  const matches = await verify(stored ?? dummyHash, password.slice(0, MAX_PASSWORD_LENGTH + 1));
  return matches && stored !== null && password.length <= MAX_PASSWORD_LENGTH;
};
