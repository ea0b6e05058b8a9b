import type { TechnicianDeviceAnswer } from '@lintel/wire-protocol/admin/technician-device';
import { failureWords } from '../frame/failure-words.ts';
import { visit } from '../link/use-visit.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface SiteOfHouse extends Named {
  /** Claimed: these have a page. */
  readonly controllers: readonly TechnicianDeviceAnswer[];
  /** All that a ticket may be made for, claimed or not. */
  readonly devices: readonly Named[];
}

export interface House extends Named {
  readonly sites: readonly SiteOfHouse[];
}

interface ListPage<T> {
  readonly data: readonly T[];
  readonly has_next: boolean;
  readonly cursor_next?: string;
}

/** All of a list, page by page; or why it may not be seen. */
const readAll = async <T>(path: string): Promise<readonly T[] | string> => {
  const all: T[] = [];
  for (let cursor = ''; ; ) {
    const answer = await visit.ask<ListPage<T>>({ method: 'GET', path: `${path}?limit=100${cursor}` });
    if (!answer.ok) return failureWords(answer.failure);
    all.push(...answer.value.data);
    if (!answer.value.has_next) return all;
    cursor = `&cursor=${encodeURIComponent(answer.value.cursor_next ?? '')}`;
  }
};

const readHouse = async ({ id, name }: Named): Promise<House | null> => {
  const [sites, devices, controllers] = await Promise.all([
    readAll<Named>(`/organizations/${id}/sites`),
    readAll<Named & { readonly site_id: string }>(`/organizations/${id}/devices`),
    readAll<TechnicianDeviceAnswer>(`/organizations/${id}/technician_devices`),
  ]);
  // A house in which one may only look has nothing to work on.
  if (typeof sites === 'string' || typeof devices === 'string' || typeof controllers === 'string') return null;
  return {
    id,
    name,
    sites: sites.map(site => ({
      ...site,
      controllers: controllers.filter(({ site_id }) => site_id === site.id),
      devices: devices.filter(({ site_id }) => site_id === site.id),
    })),
  };
};

export const readHouses = async (): Promise<readonly House[] | string> => {
  const organizations = await readAll<Named>('/organizations');
  if (typeof organizations === 'string') return organizations;
  return (await Promise.all(organizations.map(readHouse))).filter(house => house !== null);
};
