import type { FleetBridgeClient } from './fleet-bridge-client.ts';

const METADATA_KEY = 'lintel_fleet';
const GUEST_COUNT = 20;
const PIN_LENGTH = 8;

/** The site of a fleet. Later runs find it by its metadata. */
export interface FleetSite {
  readonly organizationId: string;
  readonly siteId: string;
}

interface WithId {
  readonly id: string;
}

const findIds = async (client: FleetBridgeClient, path: string, name: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of client.list<WithId>(`${path}?metadata.${METADATA_KEY}=${encodeURIComponent(name)}`))
    ids.push(id);
  return ids;
};

const findOrCreate = async (client: FleetBridgeClient, path: string, name: string, body: object): Promise<string> => {
  const [known] = await findIds(client, path, name);
  if (known !== undefined) return known;
  return (await client.call<WithId>('POST', path, { ...body, metadata: { [METADATA_KEY]: name } })).id;
};

/** The organization of the token. */
const organizationOf = async (client: FleetBridgeClient): Promise<string> => {
  for await (const { id } of client.list<WithId>('/admin/v1/organizations')) return id;
  throw new Error('The token does not allow the administration of an organization');
};

const createGuests = async (client: FleetBridgeClient, name: string, siteId: string, tagId: string): Promise<void> => {
  const groupId = await findOrCreate(client, '/v2/member_groups', name, {
    name: `Guests of ${name}`,
    permissions: [{ site_id: siteId }],
  });
  const known = await findIds(client, '/v2/members', name);
  for (let index = known.length; index < GUEST_COUNT; index++) {
    const guest = { name: `Guest ${index + 1} of ${name}`, tag_ids: [tagId], metadata: { [METADATA_KEY]: name } };
    const { id } = await client.call<WithId>('POST', '/v2/members', guest);
    await client.call('POST', `/v2/members/${id}/pins`, { length: PIN_LENGTH });
    await client.call('POST', `/v2/members/${id}/group_associations`, { member_group_id: groupId });
  }
};

export const findOrCreateFleetSite = async (client: FleetBridgeClient, name: string): Promise<FleetSite> => {
  const organizationId = await organizationOf(client);
  const admin = `/admin/v1/organizations/${organizationId}`;
  const tagId = await findOrCreate(client, '/v2/tags', name, { name: `Fleet ${name}` });
  const site = { name: `Fleet ${name}`, timezone: 'Europe/Madrid', tag_ids: [tagId] };
  const siteId = await findOrCreate(client, `${admin}/sites`, name, site);
  await createGuests(client, name, siteId, tagId);
  return { organizationId, siteId };
};
