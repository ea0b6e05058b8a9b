import { OrganizationView, type OrganizationViewDependencies } from './organization-view.ts';

/** Keeps the latest view of each organization and replaces it when the revision changes. */
export class OrganizationViewCache {
  readonly #dependencies: OrganizationViewDependencies;
  readonly #views = new Map<string, OrganizationView>();

  constructor(dependencies: OrganizationViewDependencies) {
    this.#dependencies = dependencies;
  }

  async current(organizationId: string): Promise<OrganizationView | null> {
    const view = await OrganizationView.open(this.#dependencies, organizationId, this.#views.get(organizationId));
    const newest = this.#views.get(organizationId);
    if (view === null || (newest !== undefined && newest.revision > view.revision)) return newest ?? null;
    this.#views.set(organizationId, view);
    return view;
  }
}
