import type { Services } from '../../services.ts';
import { OrganizationView } from './organization-view.ts';

/** Each organization as it was seen last: looked at again when its revision has moved. */
export class OrganizationViews {
  readonly #services: Pick<Services, 'storage' | 'masterKeys'>;
  readonly #views = new Map<string, OrganizationView>();

  constructor(services: Pick<Services, 'storage' | 'masterKeys'>) {
    this.#services = services;
  }

  async current(organizationId: string): Promise<OrganizationView | null> {
    const view = await OrganizationView.open(this.#services, organizationId, this.#views.get(organizationId));
    const newest = this.#views.get(organizationId);
    if (view === null || (newest !== undefined && newest.revision > view.revision)) return newest ?? null;
    this.#views.set(organizationId, view);
    return view;
  }

  /** How far it was seen; undefined when it was not. */
  seen(organizationId: string): number | undefined {
    return this.#views.get(organizationId)?.revision;
  }

  forget(organizationId: string): void {
    this.#views.delete(organizationId);
  }
}
