import type { KeyStore, MemberKey } from './key-and-enrollment-store-interfaces.ts';

export type WebCryptoKeyPair = Extract<
  Awaited<ReturnType<typeof crypto.subtle.generateKey>>,
  { readonly privateKey: unknown }
>;

/** Stores key pairs as they are, such as an object store of IndexedDB. */
export interface KeyPairStore {
  get(name: string): Promise<WebCryptoKeyPair | undefined>;
  put(name: string, pair: WebCryptoKeyPair): Promise<void>;
  delete(name: string): Promise<void>;
}

const toMemberKey = async ({ publicKey, privateKey }: WebCryptoKeyPair): Promise<MemberKey> => ({
  publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)),
  sign: async message => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, Uint8Array.from(message))),
});

/** Keys that scripts can use but not read. Requires Ed25519 and X25519 in WebCrypto. */
export const createWebCryptoKeyStore = (pairs: KeyPairStore): KeyStore => ({
  find: async name => {
    const pair = await pairs.get(name);
    return pair === undefined ? null : toMemberKey(pair);
  },
  create: async name => {
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as WebCryptoKeyPair;
    await pairs.put(name, pair);
    return toMemberKey(pair);
  },
  delete: name => pairs.delete(name),
});

/** Keeps key pairs until the program ends, for tests and examples. */
export const createMemoryKeyPairStore = (): KeyPairStore => {
  const pairs = new Map<string, WebCryptoKeyPair>();
  return {
    get: async name => pairs.get(name),
    put: async (name, pair) => void pairs.set(name, pair),
    delete: async name => void pairs.delete(name),
  };
};
