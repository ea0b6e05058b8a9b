import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  CLAIM_CODE_RANDOM_BYTES,
  formatClaimCode,
  normalizeClaimCode,
} from '@lintel/wire-protocol/claiming/claim-code';
import type { FirstRunRequest } from '@lintel/wire-protocol/admin/first-run';
import { type Kysely, sql } from 'kysely';
import { findNewPasswordProblem } from '../accounts/password-policy.ts';
import { createVerifiedUser, parseEmail } from '../accounts/users.ts';
import { createInvalidFieldError } from '../http/api-error.ts';
import { insertOrganization } from '../resources/organization.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';

export const FIRST_RUN_PATH = '/setup';

export interface FirstAccountIds {
  readonly userId: string;
  readonly organizationId: string;
}

const hasAccount = async (db: Kysely<Database>): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Waits for writers of the table, so that of two first runs the second sees the account of the first. */
const lockAccounts = async ({ storage }: BridgeServices, db: Kysely<Database>): Promise<void> => {
  // SQLite has one writer at a time.
  if (storage.engine === 'postgres') await sql`lock table users in share row exclusive mode`.execute(db);
};

/**
 * Creates the first account of an empty bridge. A one-time code proves that the caller can read the output of the bridge.
 * The code is derived from the master key, so that it is the same for all bridges of a cluster and needs no storage.
 */
export class FirstRunSetup {
  readonly #services: BridgeServices;
  /** Deleted accounts keep their row, so a bridge with an account never becomes empty again. */
  #isOver = false;

  constructor(services: BridgeServices) {
    this.#services = services;
  }

  async isPending(): Promise<boolean> {
    this.#isOver ||= await hasAccount(this.#services.storage.reader);
    return !this.#isOver;
  }

  /** `7K3M-0QXW-PT5H` */
  get code(): string {
    const { masterKeys } = this.#services;
    const { blinding } = masterKeys.derivedKeys(masterKeys.currentVersion);
    const digest = createHmac('sha256', blinding).update('lintel first-run code').digest();
    return formatClaimCode(digest.subarray(0, CLAIM_CODE_RANDOM_BYTES));
  }

  /** The fragment is not sent to a server, so that the code is in no access log. */
  get url(): string {
    return `${this.#services.publicUrl}${FIRST_RUN_PATH}#${this.code}`;
  }

  /** Compares in constant time. */
  isCode(typed: string): boolean {
    const [expected, actual] = [this.code, typed].map(code => Buffer.from(normalizeClaimCode(code) ?? ''));
    return expected!.length === actual!.length && timingSafeEqual(expected!, actual!);
  }

  /** Returns null if another caller was first. */
  async createAccount({ email, password, organization_name, name }: FirstRunRequest): Promise<FirstAccountIds | null> {
    const address = parseEmail(email);
    const problem = findNewPasswordProblem(password, {
      email: address,
      organizationNames: [organization_name],
    });
    if (problem !== null) throw createInvalidFieldError('password', problem);
    const services = this.#services;
    const { storage, newId, clock } = services;
    return storage.writer.transaction().execute(async db => {
      await lockAccounts(services, db);
      if (await hasAccount(db)) return null;
      const { id: userId } = await createVerifiedUser(
        db,
        { email, password, name: name.trim() },
        { newId, now: clock() },
      );
      const body = { name: organization_name, metadata: {} };
      const { id: organizationId } = await insertOrganization(db, services, { user_id: userId }, userId, body);
      return { userId, organizationId };
    });
  }
}
