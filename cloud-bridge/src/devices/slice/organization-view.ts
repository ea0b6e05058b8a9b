import type { Services } from '../../services.ts';
import { loadMemberRecords, type MemberRecord, type RecordSource } from './member-records.ts';
import { deviceStructure } from './structure-entries.ts';
import type { SliceScope } from '../sessions.ts';
import { scopeOf } from './slice-scope.ts';
import type { EntryText } from './slice-hashes.ts';
import { loadStructure, type Structure } from './structure.ts';

/** What has changed since a revision. */
export interface Changes {
  readonly members: readonly string[];
  /** Of what is not a member, by type. */
  readonly others: readonly { readonly type: string; readonly id: string }[];
}

export interface OwnStructure {
  readonly scope: SliceScope;
  readonly texts: readonly EntryText[];
}

/** How long members that many controllers ask for at once are kept. */
const RECORDS_MS = 1000;

type ViewServices = Pick<Services, 'storage' | 'masterKeys'>;

/**
 * An organization as it is at a revision, or a moment later: what is read after the revision may be newer, and then the
 * next delta says it once more. Shared by all controllers that are told of that revision.
 */
export class OrganizationView {
  readonly revision: number;
  /** The oldest revision from which changes are still known. */
  readonly horizon: number;
  readonly source: RecordSource;
  #structure: Promise<Structure> | undefined;
  readonly #own = new Map<string, Promise<OwnStructure | null>>();
  readonly #changes = new Map<number, Promise<Changes>>();
  readonly #records = new Map<string, MemberRecord>();
  #forgetting: NodeJS.Timeout | undefined;

  private constructor(source: RecordSource, revision: number, horizon: number) {
    this.source = source;
    this.revision = revision;
    this.horizon = horizon;
  }

  /** `before` is what is known already: as long as nothing but members has changed, its structure is still true. */
  static async open(
    { storage, masterKeys }: ViewServices,
    organizationId: string,
    before: OrganizationView | undefined,
  ): Promise<OrganizationView | null> {
    const { reader: db, engine } = storage;
    const organization = await db
      .selectFrom('organizations as o')
      .leftJoin('change_horizons as h', 'h.organization_id', 'o.id')
      .select(['o.revision', 'h.revision as horizon'])
      .where('o.id', '=', organizationId)
      .executeTakeFirst();
    if (organization === undefined) return null;
    const { revision, horizon } = organization;
    if (before?.revision === revision) return before;
    const view = new OrganizationView({ db, engine, masterKeys, organizationId }, revision, horizon ?? 0);
    if (before === undefined || before.revision < view.horizon) return view;
    const { others } = await view.changesSince(before.revision);
    if (others.length === 0) {
      view.#structure = before.#structure;
      for (const [deviceId, own] of before.#own) view.#own.set(deviceId, own);
    }
    return view;
  }

  structure(): Promise<Structure> {
    this.#structure ??= loadStructure(this.source.db, this.source.organizationId);
    return this.#structure;
  }

  /** Null for a device that is gone. */
  ownStructure(deviceId: string): Promise<OwnStructure | null> {
    let own = this.#own.get(deviceId);
    if (own === undefined) {
      own = this.structure().then(structure => {
        const found = deviceStructure(structure, deviceId);
        return found === null ? null : scopeOf(found);
      });
      this.#own.set(deviceId, own);
    }
    return own;
  }

  changesSince(revision: number): Promise<Changes> {
    let changes = this.#changes.get(revision);
    if (changes === undefined) {
      changes = this.#readChanges(revision);
      this.#changes.set(revision, changes);
    }
    return changes;
  }

  async #readChanges(revision: number): Promise<Changes> {
    const rows = await this.source.db
      .selectFrom('access_changes')
      .select(['object_type as type', 'object_id as id'])
      .distinct()
      .where('organization_id', '=', this.source.organizationId)
      .where('revision', '>', revision)
      .execute();
    return {
      members: rows.filter(({ type }) => type === 'member').map(({ id }) => id),
      others: rows.filter(({ type }) => type !== 'member'),
    };
  }

  /** Read once for all controllers that ask. */
  async records(ids: readonly string[]): Promise<MemberRecord[]> {
    const missing = ids.filter(id => !this.#records.has(id));
    this.#forgetting ??= setTimeout(() => this.forgetRecords(), RECORDS_MS).unref();
    for (const [id, record] of await loadMemberRecords(this.source, missing)) this.#records.set(id, record);
    return ids.flatMap(id => this.#records.get(id) ?? []);
  }

  /** Secrets are not kept in the open for longer than a change takes to be told. */
  forgetRecords(): void {
    clearTimeout(this.#forgetting);
    this.#forgetting = undefined;
    this.#records.clear();
  }
}
