/** The private key of a membership. It never leaves its store, which may be a secure element. */
export interface MemberKey {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** Where the phone keeps its keys. Implemented by the app: key store, keychain, IndexedDB. */
export interface KeyStore {
  /** Null if there is no key of this name. */
  find(name: string): Promise<MemberKey | null>;
  /** Creates an Ed25519 key. */
  create(name: string): Promise<MemberKey>;
  delete(name: string): Promise<void>;
}

/** A door of an enrolled phone. */
export interface MemberDoor {
  readonly organization_id: string;
  readonly device_id: string;
  readonly gadget_id: string;
  readonly name: string;
  readonly site_name: string;
  readonly actions: readonly { readonly id: string; readonly name: string }[];
}

/** What the phone keeps about one membership, as JSON. `bluetooth_key` is confidential. */
export interface Enrollment {
  readonly member_id: string;
  readonly member_token_id: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly bluetooth_key: string;
  readonly doors: readonly MemberDoor[];
}

export interface EnrollmentStore {
  read(): Promise<readonly Enrollment[]>;
  write(enrollments: readonly Enrollment[]): Promise<void>;
}

/** Keeps enrollments until the program ends, for tests and examples. */
export const createMemoryEnrollmentStore = (): EnrollmentStore => {
  let stored: readonly Enrollment[] = [];
  return {
    read: async () => stored,
    write: async enrollments => {
      stored = enrollments;
    },
  };
};
