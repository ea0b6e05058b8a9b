import type { AttentionItem } from '@lintel/wire-protocol/admin/attention-items';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { matchesSearch } from '../components/matches-search.ts';

interface Places {
  readonly sites: readonly SiteResponse[];
  readonly devices: readonly DeviceResponse[];
  readonly doors: readonly GadgetResponse[];
  readonly attention: readonly AttentionItem[];
}

export interface DoorsScreenFilter {
  readonly view: 'doors' | 'devices';
  readonly siteId: string | null;
  readonly search: string;
  readonly isAttentionOnly: boolean;
}

export type DoorsScreenRow =
  | { readonly kind: 'site'; readonly id: string; readonly site: SiteResponse; readonly isEmpty: boolean }
  | {
      readonly kind: 'door';
      readonly id: string;
      readonly door: GadgetResponse;
      readonly device: DeviceResponse | undefined;
      readonly issues: readonly AttentionItem[];
    }
  | {
      readonly kind: 'device';
      readonly id: string;
      readonly device: DeviceResponse;
      readonly doorCount: number;
      readonly issues: readonly AttentionItem[];
    };

type ItemRow = Exclude<DoorsScreenRow, { kind: 'site' }>;

const byName = new Intl.Collator(undefined, { numeric: true });

const doorRows = ({ doors, devices, attention }: Places): readonly (ItemRow & { readonly siteId: string })[] => {
  const deviceById = new Map<string, DeviceResponse>(devices.map(device => [device.id, device]));
  const byDoor = Map.groupBy(attention, ({ gadget_id }) => gadget_id as string | null);
  const byDevice = Map.groupBy(byDoor.get(null) ?? [], ({ device_id }) => device_id as string | null);
  return doors.map(door => ({
    kind: 'door',
    id: door.id,
    siteId: door.site_id,
    door,
    device: deviceById.get(door.device_id),
    issues: [...(byDoor.get(door.id) ?? []), ...(byDevice.get(door.device_id) ?? [])],
  }));
};

const deviceRows = ({ doors, devices, attention }: Places): readonly (ItemRow & { readonly siteId: string })[] => {
  const doorsByDevice = Map.groupBy(doors, ({ device_id }) => device_id as string);
  const byDevice = Map.groupBy(attention, ({ device_id }) => device_id as string | null);
  return devices
    .map(device => ({
      kind: 'device' as const,
      id: device.id,
      siteId: device.site_id,
      device,
      doorCount: doorsByDevice.get(device.id)?.length ?? 0,
      issues: byDevice.get(device.id) ?? [],
    }))
    .toSorted((a, b) => byName.compare(a.device.name, b.device.name));
};

const needsAttention = ({ issues, device }: ItemRow): boolean => issues.length > 0 || device?.status.online === false;

const nameOf = (row: ItemRow): string => (row.kind === 'door' ? row.door.name : row.device.name);

/** The doors or controllers that match the filter, below their sites. A site without any is shown unless it is filtered. */
export const listDoorsScreenRows = (places: Places, filter: DoorsScreenFilter): readonly DoorsScreenRow[] => {
  const isFiltered = filter.search.trim() !== '' || filter.isAttentionOnly;
  const items = (filter.view === 'doors' ? doorRows(places) : deviceRows(places)).filter(
    row => matchesSearch(nameOf(row), filter.search) && (!filter.isAttentionOnly || needsAttention(row)),
  );
  const bySite = Map.groupBy(items, ({ siteId }) => siteId);
  return places.sites
    .filter(({ id }) => filter.siteId === null || id === filter.siteId)
    .toSorted((a, b) => byName.compare(a.name, b.name))
    .flatMap((site): DoorsScreenRow[] => {
      const rows = bySite.get(site.id) ?? [];
      if (rows.length === 0 && isFiltered) return [];
      return [{ kind: 'site', id: site.id, site, isEmpty: rows.length === 0 }, ...rows];
    });
};
