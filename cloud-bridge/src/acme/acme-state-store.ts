import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { sql } from 'kysely';
import { z } from 'zod';
import { sealSecret, parseSealedKeyVersion, unsealSecret } from '../secrets/sealing.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

const acmeStateSchema = z.object({
  directoryUrl: z.string(),
  name: z.string(),
  accountKey: z.string(),
  certificate: z.object({ key: z.string(), certificate: z.string() }).nullable(),
  challenge: z.object({ token: z.string(), keyAuthorization: z.string() }).nullable(),
  /** Failed orders since the last certificate. */
  failures: z.number(),
  nextAttemptAt: z.number(),
});

export type AcmeState = z.infer<typeof acmeStateSchema>;

/** Where the account, the certificate and the current challenge are kept. */
export interface AcmeStateStore {
  /** Null if there is none, or if it cannot be read; then a new account is created. */
  read(): Promise<AcmeState | null>;
  write(state: AcmeState): Promise<void>;
  /** Runs the work unless another bridge runs it. */
  runExclusively(work: () => Promise<void>): Promise<void>;
  /** Whether other bridges read the state, too. */
  readonly isShared: boolean;
}

const parseState = (text: string): AcmeState | null => {
  try {
    return acmeStateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

const ACME_STATE_FILE = 'acme.json';

export const createFileAcmeStateStore = (dataDir: string): AcmeStateStore => {
  const file = join(dataDir, ACME_STATE_FILE);
  return {
    isShared: false,
    read: async () => (existsSync(file) ? parseState(readFileSync(file, 'utf8')) : null),
    write: async state => writePrivateFile(file, `${JSON.stringify(state, null, 2)}\n`),
    runExclusively: work => work(),
  };
};

/** Arbitrary id of the advisory lock that lets one bridge at a time order a certificate. */
const ORDER_LOCK = 7_164_203;
const CONTEXT = 'acme state';

/** Keeps the state in PostgreSQL, sealed by the master key, for any number of bridges. */
export const createSharedAcmeStateStore = ({
  storage,
  masterKeys,
  clock,
}: Pick<BridgeServices, 'storage' | 'masterKeys' | 'clock'>): AcmeStateStore => {
  const sealedRow = (state: AcmeState) => {
    const keys = masterKeys.derivedKeys(masterKeys.currentVersion);
    return { bytes: Buffer.from(sealSecret(keys, JSON.stringify(state), CONTEXT)), created_at: clock() };
  };
  const unsealState = (sealed: string): AcmeState | null => {
    try {
      return parseState(unsealSecret(masterKeys, sealed, CONTEXT));
    } catch {
      return null;
    }
  };
  /** After a rotation of the master key, so that the old key can be deleted. */
  const reseal = async (state: AcmeState, sealed: string): Promise<void> => {
    await storage.writer
      .updateTable('shared_file_chunks')
      .set(sealedRow(state))
      .where('name', '=', ACME_STATE_FILE)
      .where('bytes', '=', Buffer.from(sealed))
      .execute();
  };
  let lastSealed = '';
  let lastState: AcmeState | null = null;
  return {
    isShared: true,
    write: async state => {
      const row = sealedRow(state);
      await storage.writer
        .insertInto('shared_file_chunks')
        .values({ name: ACME_STATE_FILE, position: 0, ...row })
        .onConflict(conflict => conflict.columns(['name', 'position']).doUpdateSet(row))
        .execute();
    },
    read: async () => {
      const row = await storage.writer
        .selectFrom('shared_file_chunks')
        .select('bytes')
        .where('name', '=', ACME_STATE_FILE)
        .executeTakeFirst();
      const sealed = row?.bytes.toString() ?? '';
      if (sealed !== lastSealed) {
        lastSealed = sealed;
        lastState = unsealState(sealed);
      }
      if (lastState !== null && parseSealedKeyVersion(sealed) !== masterKeys.currentVersion)
        await reseal(lastState, sealed);
      return lastState;
    },
    runExclusively: work =>
      storage.writer.transaction().execute(async trx => {
        const lock = await sql<{ is_held: boolean }>`
          select pg_try_advisory_xact_lock(${ORDER_LOCK}) as is_held`.execute(trx);
        if (lock.rows[0]?.is_held === true) await work();
      }),
  };
};
