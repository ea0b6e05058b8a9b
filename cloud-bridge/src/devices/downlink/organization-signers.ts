import { organizationKey, type OrganizationKey } from '../../resources/organization-keys.ts';
import type { Services } from '../../services.ts';
import { system } from '../../transactions/actor.ts';

/** The organizations' keys, opened when they are first needed and then kept: signing waits for no disk. */
export class OrganizationSigners {
  readonly #writer: Services['writer'];
  readonly #keys = new Map<string, Promise<OrganizationKey>>();

  constructor({ writer }: Pick<Services, 'writer'>) {
    this.#writer = writer;
  }

  of(organizationId: string): Promise<OrganizationKey> {
    let key = this.#keys.get(organizationId);
    if (key === undefined) {
      key = this.#writer.write(organizationId, system, organizationKey);
      this.#keys.set(organizationId, key);
      key.catch(() => this.#keys.delete(organizationId));
    }
    return key;
  }
}
