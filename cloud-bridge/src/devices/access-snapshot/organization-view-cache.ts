import type { BridgeServices } from '../../services.ts';
import { OrganizationView } from './organization-view.ts';

/** Keeps the latest view of each organization and replaces it when the revision changes. */
export class OrganizationViewCache {
  readonly #services: Pick<BridgeServices, 'storage' | 'masterKeys'>;
  readonly #views = new Map<string, OrganizationView>();

  constructor(services: Pick<BridgeServices, 'storage' | 'masterKeys'>) {
    this.#services = services;
  }

  async current(organizationId: string): Promise<OrganizationView | null> {
    const view = await OrganizationView.open(this.#services, organizationId, this.#views.get(organizationId));
    const newest = this.#views.get(organizationId);
    if (view === null || (newest !== undefined && newest.revision > view.revision)) return newest ?? null;
    this.#views.set(organizationId, view);
    return view;
  }
}
