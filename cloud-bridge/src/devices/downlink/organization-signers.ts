import { getOrCreateOrganizationKey, type OrganizationKey } from '../../resources/organization-keys.ts';
import type { BridgeServices } from '../../services.ts';
import { systemActor } from '../../transactions/actor.ts';

/** Caches the signing keys of organizations in memory. */
export class OrganizationSigners {
  readonly #writer: BridgeServices['writer'];
  readonly #keys = new Map<string, Promise<OrganizationKey>>();

  constructor({ writer }: Pick<BridgeServices, 'writer'>) {
    this.#writer = writer;
  }

  of(organizationId: string): Promise<OrganizationKey> {
    let key = this.#keys.get(organizationId);
    if (key === undefined) {
      key = this.#writer.write(organizationId, systemActor, getOrCreateOrganizationKey);
      this.#keys.set(organizationId, key);
      key.catch(() => this.#keys.delete(organizationId));
    }
    return key;
  }
}
