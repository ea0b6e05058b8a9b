import { isIP } from 'node:net';
import type { Kysely } from 'kysely';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';
import type { PasskeyRow } from '../storage/user-schema.ts';
import { createPasskeyChallenge, consumePasskeyChallenge } from './passkey-challenge.ts';

type PasskeyServices = Pick<BridgeServices, 'storage' | 'clock' | 'publicUrl'>;
type User = { readonly id: string; readonly email: string };

const RP_NAME = 'Lintel';

/** Ed25519, ES256 and RS256, which all authenticators and Node support. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Loaded when first needed, because loading takes longer than most commands. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** Browsers offer passkeys for names, not for addresses, and only over HTTPS or on the same machine. */
export const supportsPasskeys = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
};

const relyingParty = (publicUrl: string) => {
  const { origin, hostname } = new URL(publicUrl);
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
};

export const listPasskeysOfUser = (db: Kysely<Database>, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();

export const removePasskey = async (db: Kysely<Database>, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** The options that the browser needs to create a passkey, as JSON. */
export const createPasskeyRegistrationOptions = async (
  { storage, clock, publicUrl }: PasskeyServices,
  { id, email }: User,
  secret: string,
): Promise<string> => {
  const existing = await listPasskeysOfUser(storage.writer, id);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: new URL(publicUrl).hostname,
    userName: email,
    userDisplayName: email,
    userID: new TextEncoder().encode(id),
    challenge: createPasskeyChallenge(secret, clock()),
    attestationType: 'none',
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map(passkey => ({ id: passkey.id })),
  });
  return JSON.stringify(options);
};

/** The options that the browser needs to sign in with any passkey for this bridge, as JSON. */
export const createPasskeyLoginOptions = async (
  { clock, publicUrl }: PasskeyServices,
  secret: string,
): Promise<string> => {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: new URL(publicUrl).hostname,
    challenge: createPasskeyChallenge(secret, clock()),
    userVerification: 'required',
  });
  return JSON.stringify(options);
};

/** The answer of the browser, of which only the id is read before the verification. */
const parseAnswer = (json: string): { readonly id: string } | null => {
  try {
    const answer: unknown = JSON.parse(json);
    const isObject = typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'string';
    return isObject && /^[\w-]+$/.test(String(answer.id)) ? (answer as { id: string }) : null;
  } catch {
    return null;
  }
};

/** The library throws for every answer that is not valid. */
const verifiedOrNull = async <T extends { readonly verified: boolean }>(
  verification: Promise<T>,
): Promise<T | null> => {
  try {
    const result = await verification;
    return result.verified ? result : null;
  } catch {
    return null;
  }
};

/** Stores the passkey that the browser created. Returns false if the answer is not valid or the passkey is known. */
export const registerPasskey = async (
  { storage, clock, publicUrl }: PasskeyServices,
  userId: string,
  { answer, secret, name }: { readonly answer: string; readonly secret: string; readonly name: string },
): Promise<boolean> => {
  const response = parseAnswer(answer);
  if (response === null) return false;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verification = await verifiedOrNull(
    verifyRegistrationResponse({
      ...relyingParty(publicUrl),
      supportedAlgorithmIDs,
      response: response as never,
      expectedChallenge: challenge => consumePasskeyChallenge(storage.writer, secret, challenge, clock()),
    }),
  );
  if (verification?.registrationInfo === undefined) return false;
  const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential;
  const row: PasskeyRow = {
    id,
    user_id: userId,
    name,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
    created_at: clock(),
    used_at: null,
  };
  const { numInsertedOrUpdatedRows } = await storage.writer
    .insertInto('passkeys')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** The user whose passkey signed the challenge; null if the answer is not valid. */
export const authenticateWithPasskey = async (
  { storage, clock, publicUrl }: PasskeyServices,
  answer: string,
  secret: string,
): Promise<string | null> => {
  const response = parseAnswer(answer);
  if (response === null) return null;
  const passkey = await storage.writer
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .where('passkeys.id', '=', response.id)
    .where('users.is_deleted', '=', 0)
    .where('users.verified_at', 'is not', null)
    .executeTakeFirst();
  if (passkey === undefined) return null;
  const { id, public_key, counter, user_id } = passkey;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verification = await verifiedOrNull(
    verifyAuthenticationResponse({
      ...relyingParty(publicUrl),
      response: response as never,
      expectedChallenge: challenge => consumePasskeyChallenge(storage.writer, secret, challenge, clock()),
      credential: { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter },
    }),
  );
  if (verification === null) return null;
  await storage.writer
    .updateTable('passkeys')
    .set({ counter: verification.authenticationInfo.newCounter, used_at: clock() })
    .where('id', '=', id)
    .execute();
  return user_id;
};
