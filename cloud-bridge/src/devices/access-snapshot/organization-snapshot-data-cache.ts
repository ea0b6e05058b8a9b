import { BatchedLoader } from '../../storage/batched-loader.ts';
import { OrganizationSnapshotData, type OrganizationSnapshotDataDependencies } from './organization-snapshot-data.ts';

/** Keeps the latest view of each organization and replaces it when the revision changes. */
export class OrganizationSnapshotDataCache {
  readonly #dependencies: OrganizationSnapshotDataDependencies;
  readonly #views = new Map<string, OrganizationSnapshotData>();
  readonly #loader: BatchedLoader<OrganizationSnapshotData | null>;

  constructor(dependencies: OrganizationSnapshotDataDependencies) {
    this.#dependencies = dependencies;
    this.#loader = new BatchedLoader(
      async ids => new Map(await Promise.all(ids.map(async id => [id, await this.#open(id)] as const))),
    );
  }

  /** Null for a deleted organization. */
  async current(organizationId: string): Promise<OrganizationSnapshotData | null> {
    return (await this.#loader.load(organizationId)) ?? null;
  }

  async #open(organizationId: string): Promise<OrganizationSnapshotData | null> {
    const view = await OrganizationSnapshotData.open(
      this.#dependencies,
      organizationId,
      this.#views.get(organizationId),
    );
    const newest = this.#views.get(organizationId);
    if (view === null || (newest !== undefined && newest.revision > view.revision)) return newest ?? null;
    this.#views.set(organizationId, view);
    return view;
  }
}
