import { OrganizationSnapshotData, type OrganizationSnapshotDataDependencies } from './organization-snapshot-data.ts';

/** Keeps the latest view of each organization and replaces it when the revision changes. */
export class OrganizationSnapshotDataCache {
  readonly #dependencies: OrganizationSnapshotDataDependencies;
  readonly #views = new Map<string, OrganizationSnapshotData>();

  constructor(dependencies: OrganizationSnapshotDataDependencies) {
    this.#dependencies = dependencies;
  }

  async current(organizationId: string): Promise<OrganizationSnapshotData | null> {
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
