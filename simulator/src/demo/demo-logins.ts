import { randomBytes, randomInt } from 'node:crypto';
import type { DemoLogins } from './stored-demo-state.ts';

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES_PER_WORD = 3;
const WORDS = 3;

const pick = (letters: string): string => letters[randomInt(letters.length)]!;

const newWord = (): string =>
  Array.from({ length: SYLLABLES_PER_WORD }, () => pick(CONSONANTS) + pick(VOWELS)).join('');

/** Three words that people can read aloud and type, and two digits: 63 bits. */
const newPassword = (): string => [...Array.from({ length: WORDS }, newWord), randomInt(10, 100)].join('-');

export const createDemoLogins = (): DemoLogins => ({
  admin: { email: 'admin@example.test', password: newPassword() },
  application: { client_id: 'demo-pms', client_secret: randomBytes(24).toString('base64url') },
});
