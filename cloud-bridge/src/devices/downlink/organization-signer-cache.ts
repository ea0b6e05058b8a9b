import {
  getOrCreateOrganizationSigningKey,
  type OrganizationSigningKey,
} from '../../resources/organization-signing-keys.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { systemActor } from '../../transactions/actor.ts';

/** Caches the signing keys of organizations in memory. */
export class OrganizationSignerCache {
  readonly #writer: BridgeServices['writer'];
  readonly #keys = new Map<string, Promise<OrganizationSigningKey>>();

  constructor({ writer }: Pick<BridgeServices, 'writer'>) {
    this.#writer = writer;
  }

  of(organizationId: string): Promise<OrganizationSigningKey> {
    let key = this.#keys.get(organizationId);
    if (key === undefined) {
      key = this.#writer.write(organizationId, systemActor, getOrCreateOrganizationSigningKey);
      this.#keys.set(organizationId, key);
      key.catch(() => this.#keys.delete(organizationId));
    }
    return key;
  }
}
