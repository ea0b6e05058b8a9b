import type { BridgeServices } from '../../bridge-services-interface.ts';
import {
  listMemberIdsInGroups,
  loadMembersWithCredentials,
  type MemberWithCredentials,
  type MemberLoadContext,
} from './members-with-credentials.ts';
import { buildSnapshotWithoutMembers } from './snapshot-without-members.ts';
import type { SnapshotScope } from '../device-session-registry.ts';
import { serializeSnapshotWithoutMembers } from './snapshot-scope-serialization.ts';
import type { SerializedSnapshotEntry } from './snapshot-entry-hashes.ts';
import { loadOrganizationWithoutMembers, type OrganizationWithoutMembers } from './organization-without-members.ts';

/** The objects that have changed since a revision. */
export interface ChangedAccessObjects {
  readonly members: readonly string[];
  readonly others: readonly { readonly type: string; readonly id: string }[];
}

export interface SerializedSnapshotWithoutMembers {
  readonly scope: SnapshotScope;
  readonly entries: readonly SerializedSnapshotEntry[];
}

/** Lifetime of cached members, which many controllers need at the same time. */
const RECORD_LIFETIME_MS = 1000;

export interface OrganizationSnapshotDataDependencies extends Pick<MemberLoadContext, 'onUnreadable'> {
  readonly services: Pick<BridgeServices, 'storage' | 'masterKeys'>;
}

/**
 * Cached data of an organization at a revision, shared by all its controllers. Data that is read later may be newer than
 * the revision; the next delta then contains the same change again.
 */
export class OrganizationSnapshotData {
  readonly revision: number;
  /** The oldest revision for which a delta is possible. */
  readonly horizon: number;
  readonly source: MemberLoadContext;
  #structure: Promise<OrganizationWithoutMembers> | undefined;
  readonly #changes = new Map<number, Promise<ChangedAccessObjects>>();
  readonly #records = new Map<string, MemberWithCredentials>();
  /** Member ids by groups. */
  readonly #memberIds = new Map<string, Promise<readonly string[]>>();
  #recordTimer: NodeJS.Timeout | undefined;

  private constructor(source: MemberLoadContext, revision: number, horizon: number) {
    this.source = source;
    this.revision = revision;
    this.horizon = horizon;
  }

  /** Reuses the structure of the previous view if only members have changed. */
  static async open(
    { services: { storage, masterKeys }, onUnreadable }: OrganizationSnapshotDataDependencies,
    organizationId: string,
    previous: OrganizationSnapshotData | undefined,
  ): Promise<OrganizationSnapshotData | null> {
    const { reader: db, engine } = storage;
    const organization = await db
      .selectFrom('organizations as o')
      .leftJoin('change_horizons as h', 'h.organization_id', 'o.id')
      .select(['o.revision', 'h.revision as horizon'])
      .where('o.id', '=', organizationId)
      .executeTakeFirst();
    if (organization === undefined) return null;
    const { revision, horizon } = organization;
    if (previous?.revision === revision) return previous;
    const view = new OrganizationSnapshotData(
      { db, engine, masterKeys, organizationId, onUnreadable },
      revision,
      horizon ?? 0,
    );
    if (previous === undefined || previous.revision < view.horizon) return view;
    const { others } = await view.changesSince(previous.revision);
    if (others.length === 0) view.#structure = previous.#structure;
    return view;
  }

  structure(): Promise<OrganizationWithoutMembers> {
    if (this.#structure === undefined) {
      const structure = loadOrganizationWithoutMembers(this.source.db, this.source.organizationId);
      this.#structure = structure;
      structure.catch(() => {
        if (this.#structure === structure) this.#structure = undefined;
      });
    }
    return this.#structure;
  }

  /** Null for a deleted device. */
  async structureFor(deviceId: string): Promise<SerializedSnapshotWithoutMembers | null> {
    const deviceStructure = buildSnapshotWithoutMembers(await this.structure(), deviceId);
    return deviceStructure === null ? null : serializeSnapshotWithoutMembers(deviceStructure);
  }

  changesSince(revision: number): Promise<ChangedAccessObjects> {
    let changes = this.#changes.get(revision);
    if (changes === undefined) {
      changes = this.#readChanges(revision);
      this.#changes.set(revision, changes);
      changes.catch(() => this.#changes.delete(revision));
    }
    return changes;
  }

  async #readChanges(revision: number): Promise<ChangedAccessObjects> {
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

  /** Members of the groups, ordered by id. Many controllers have the same groups. */
  memberIdsIn(groups: ReadonlySet<string>): Promise<readonly string[]> {
    const key = [...groups].toSorted().join(' ');
    let ids = this.#memberIds.get(key);
    if (ids === undefined) {
      ids = listMemberIdsInGroups(this.source, groups);
      this.#memberIds.set(key, ids);
      ids.catch(() => this.#memberIds.delete(key));
      this.#clearLater();
    }
    return ids;
  }

  /** Loads each member once for all controllers. */
  async records(ids: readonly string[]): Promise<MemberWithCredentials[]> {
    // Kept here too, because `clearRecords` may be called while the others are loaded.
    const found = new Map<string, MemberWithCredentials>();
    for (const id of ids) {
      const record = this.#records.get(id);
      if (record !== undefined) found.set(id, record);
    }
    const missing = ids.filter(id => !found.has(id));
    for (const [id, record] of await loadMembersWithCredentials(this.source, missing)) {
      found.set(id, record);
      this.#records.set(id, record);
    }
    this.#clearLater();
    return ids.flatMap(id => found.get(id) ?? []);
  }

  #clearLater(): void {
    this.#recordTimer ??= setTimeout(() => this.clearRecords(), RECORD_LIFETIME_MS).unref();
  }

  /** Limits how long plain secrets stay in memory. */
  clearRecords(): void {
    clearTimeout(this.#recordTimer);
    this.#recordTimer = undefined;
    this.#records.clear();
    this.#memberIds.clear();
  }
}
