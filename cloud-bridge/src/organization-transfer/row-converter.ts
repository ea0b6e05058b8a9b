import type { Kysely } from 'kysely';
import { computeMagicLinkBlindIndex } from '../resources/magic-link-sealing-and-blind-index.ts';
import type { DerivedKeys, MasterKeys } from '../secrets/master-keys.ts';
import { parseSealedKeyVersion, type SealingKeys } from '../secrets/sealing.ts';
import type { Database } from '../storage/schema.ts';
import { toSealingKeys, type OrganizationTransferManifest, type TransferredRow } from './transfer-format.ts';
import { resealRowAfterTransfer } from './transferred-secrets.ts';
import type { DatabaseTableName } from './transferred-tables.ts';

/** Columns with the id of an account, which may have another id at this bridge. */
const userColumns = ['user_id', 'subject_user_id', 'object_user_id', 'acknowledged_by', 'object_id'];

/** Equal to the hash of no secret. */
const NO_SECRET_HASH = 'sha256:';

export interface NamedOAuthApplication {
  readonly id: string;
  readonly name: string;
}

export interface TransferredRowConverterOptions {
  readonly db: Kysely<Database>;
  readonly manifest: OrganizationTransferManifest;
  readonly masterKeys: MasterKeys;
  /** The current keys of this bridge. */
  readonly keys: DerivedKeys;
}

/** Converts the rows of a file, in the order of the tables, to rows of this bridge. */
export class TransferredRowConverter {
  readonly #options: TransferredRowConverterOptions;
  readonly #fileKeys: SealingKeys;
  /** Ids of the accounts that this bridge already had, by their id in the file. */
  readonly reusedUserIds = new Map<string, string>();
  readonly #newUserIds = new Set<string>();
  readonly #knownApplications = new Map<string, boolean>();
  readonly #skippedWebhookIds = new Set<string>();
  readonly #foreignSeedScopes = new Map<string, boolean>();
  /** Digits by the id of the PIN. */
  readonly pins = new Map<string, string>();
  readonly applicationsWithoutSecret: NamedOAuthApplication[] = [];

  constructor(options: TransferredRowConverterOptions) {
    this.#options = options;
    this.#fileKeys = toSealingKeys(Buffer.from(options.manifest.sealing_key, 'base64'));
  }

  /** Applications of other organizations that this bridge does not have. Their grants and webhooks are skipped. */
  get unknownApplicationIds(): string[] {
    return [...this.#knownApplications].filter(([, isKnown]) => !isKnown).map(([id]) => id);
  }

  /** Null for a row that is not inserted. */
  async convert(table: DatabaseTableName, read: TransferredRow): Promise<TransferredRow | null> {
    if (table === 'users') return (await this.#findUser(read)) ? null : read;
    if (table === 'passkeys') return this.#newUserIds.has(String(read['user_id'])) ? read : null;
    const row = this.#withUserIds(read);
    if (await this.#isSkipped(table, row)) return null;
    if (table === 'organizations') return { ...row, key_version: this.#options.keys.version };
    if (table === 'oauth_applications') return this.#convertApplication(row);
    const { row: sealed, secret } = resealRowAfterTransfer(this.#fileKeys, this.#options.keys, table, row);
    if (secret !== null && table === 'member_pins') this.pins.set(String(row['id']), secret);
    if (secret !== null && table === 'member_magic_links')
      return { ...sealed, blind: computeMagicLinkBlindIndex(this.#options.keys, secret) };
    return sealed;
  }

  /** An account of this bridge with the same id or email address is used, unchanged. */
  async #findUser({ id, email, is_deleted }: TransferredRow): Promise<boolean> {
    const existing = await this.#options.db
      .selectFrom('users')
      .select('id')
      .where(row =>
        row.or([
          row('id', '=', String(id)),
          row.and([row('email', '=', String(email)), row('is_deleted', '=', 0), row.lit(is_deleted === 0)]),
        ]),
      )
      .executeTakeFirst();
    if (existing === undefined) this.#newUserIds.add(String(id));
    else this.reusedUserIds.set(String(id), existing.id);
    return existing !== undefined;
  }

  #withUserIds(row: TransferredRow): TransferredRow {
    if (this.reusedUserIds.size === 0) return row;
    const changed = userColumns.flatMap(column => {
      const id = this.reusedUserIds.get(String(row[column]));
      return id === undefined ? [] : [[column, id] as const];
    });
    return { ...row, ...Object.fromEntries(changed) };
  }

  async #isSkipped(table: DatabaseTableName, row: TransferredRow): Promise<boolean> {
    if (table === 'webhook_lanes' || table === 'webhook_deliveries')
      return this.#skippedWebhookIds.has(String(row['webhook_id']));
    if (table === 'seed_keys') return this.#isForeignSeedScope(String(row['scope'] || row['key']));
    if (table !== 'oauth_grants' && table !== 'oauth_tokens' && table !== 'webhooks') return false;
    const isKnown = await this.#hasApplication(String(row['oauth_application_id']));
    if (!isKnown && table === 'webhooks') this.#skippedWebhookIds.add(String(row['id']));
    return !isKnown;
  }

  async #hasApplication(id: string): Promise<boolean> {
    const cached = this.#knownApplications.get(id);
    if (cached !== undefined) return cached;
    const row = await this.#options.db
      .selectFrom('oauth_applications')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    this.#knownApplications.set(id, row !== undefined);
    return row !== undefined;
  }

  /** Another organization of this bridge may have been seeded with the same key. Then it keeps the key. */
  async #isForeignSeedScope(organizationKey: string): Promise<boolean> {
    const cached = this.#foreignSeedScopes.get(organizationKey);
    if (cached !== undefined) return cached;
    const row = await this.#options.db
      .selectFrom('seed_keys')
      .select('object_id')
      .where('scope', '=', '')
      .where('key', '=', organizationKey)
      .executeTakeFirst();
    const isForeign = row !== undefined && row.object_id !== this.#options.manifest.organization.id;
    this.#foreignSeedScopes.set(organizationKey, isForeign);
    return isForeign;
  }

  /** The hash of a client secret is keyed: only a bridge with the same master key can verify it. */
  #convertApplication(row: TransferredRow): TransferredRow {
    const { masterKeys, manifest } = this.#options;
    const version = parseSealedKeyVersion(String(row['client_secret_hash']));
    if (Number.isNaN(version)) return row;
    const check = manifest.master_key_checks[version];
    if (masterKeys.versions.includes(version) && masterKeys.checkValue(version) === check) return row;
    if (row['is_deleted'] === 0)
      this.applicationsWithoutSecret.push({ id: String(row['id']), name: String(row['name']) });
    return { ...row, client_secret_hash: NO_SECRET_HASH };
  }
}
