import { hash, verify } from '@node-rs/argon2';

/** Argon2id with 19 MiB and two passes, which is the package's default and OWASP's first recommendation. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Nobody's password: comparing with it takes as long as comparing with a real one. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$bGludGVsLW5vYm9keS0xNg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const LONGEST = 1024;

/** Takes as long for an account that does not exist (`null`) as for a wrong password. */
export const passwordMatches = async (stored: string | null, password: string): Promise<boolean> => {
  const matches = await verify(stored ?? nobody, password.slice(0, LONGEST + 1));
  return matches && stored !== null && password.length <= LONGEST;
};

export const isUsablePassword = (password: string): boolean => password !== '' && password.length <= LONGEST;
