import type { Enrollment, EnrollmentStore, KeyPairStore, WebCryptoKeyPair } from '@lintel/member-sdk';

/*
 * What this phone keeps in IndexedDB: key pairs, whose private keys scripts can use but not read, and the doors, so that
 * the page works offline.
 */

const DATABASE = 'lintel-phone';
const KEYS = 'keys';
const ENROLLMENTS = 'enrollments';
const CURRENT = 'current';

const settle = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });

const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => {
    for (const store of [KEYS, ENROLLMENTS]) request.result.createObjectStore(store);
  });
  return settle(request);
};

const run = async <T>(
  store: string,
  mode: IDBTransactionMode,
  work: (objects: IDBObjectStore) => IDBRequest<T>,
): Promise<T> => {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(store, mode, { durability: 'strict' });
    const committed = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB failed')));
    });
    const [result] = await Promise.all([settle(work(transaction.objectStore(store))), committed]);
    return result;
  } finally {
    database.close();
  }
};

export const keyPairDatabase: KeyPairStore = {
  get: name => run<WebCryptoKeyPair | undefined>(KEYS, 'readonly', keys => keys.get(name)),
  put: async (name, pair) => void (await run(KEYS, 'readwrite', keys => keys.put(pair, name))),
  delete: name => run(KEYS, 'readwrite', keys => keys.delete(name)),
};

export const enrollmentDatabase: EnrollmentStore = {
  read: async () =>
    (await run<readonly Enrollment[] | undefined>(ENROLLMENTS, 'readonly', stored => stored.get(CURRENT))) ?? [],
  write: async enrollments => void (await run(ENROLLMENTS, 'readwrite', stored => stored.put(enrollments, CURRENT))),
};
