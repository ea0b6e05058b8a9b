import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { readUnverifiedTechnicianPass } from '@lintel/wire-protocol/technician/unverified-technician-pass';

/** The key of this browser at this controller. Its private part cannot be read, not even by the page. */
interface StoredKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: string;
  /** The technician pass that certifies the key. */
  readonly pass: string | null;
}

const NAME = 'lintel-technician';
const RECORDS = 'keys';
const RECORD = 'pass';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });

const useRecords = async <T>(mode: IDBTransactionMode, use: (records: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const opening = indexedDB.open(NAME, 1);
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore(RECORDS));
  const database = await resultOf(opening);
  try {
    return await resultOf(use(database.transaction(RECORDS, mode).objectStore(RECORDS)));
  } finally {
    database.close();
  }
};

const readKey = (): Promise<StoredKey | undefined> => useRecords('readonly', records => records.get(RECORD));
const writeKey = (key: StoredKey): Promise<unknown> => useRecords('readwrite', records => records.put(key, RECORD));

const isValid = (pass: string): boolean => (readUnverifiedTechnicianPass(pass)?.expires_at ?? 0) > Date.now();

const createKey = async (): Promise<StoredKey> => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign']);
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  return { privateKey, publicKey: toBase64url(raw), pass: null };
};

/** The public key for the next pass. A new key after the last pass has expired. */
export const getOrCreateTechnicianPassPublicKey = async (): Promise<string> => {
  const stored = await readKey();
  if (stored !== undefined && (stored.pass === null || isValid(stored.pass))) return stored.publicKey;
  const key = await createKey();
  await writeKey(key);
  return key.publicKey;
};

/** Returns false for a pass that is not for the key of this browser. */
export const storeTechnicianPass = async (pass: string): Promise<boolean> => {
  const stored = await readKey();
  if (stored === undefined || readUnverifiedTechnicianPass(pass)?.public_key !== stored.publicKey) return false;
  await writeKey({ ...stored, pass });
  return true;
};

/** Returns null without a pass that is still valid by the clock of the browser. */
export const findValidTechnicianPass = async (): Promise<string | null> => {
  const pass = (await readKey())?.pass ?? null;
  return pass !== null && isValid(pass) ? pass : null;
};

export const signWithTechnicianPassKey = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const stored = await readKey();
  if (stored === undefined) throw new Error('This browser has no key for the pass');
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM, stored.privateKey, Uint8Array.from(bytes)));
};

export const deleteTechnicianPass = (): Promise<unknown> => useRecords('readwrite', records => records.delete(RECORD));
