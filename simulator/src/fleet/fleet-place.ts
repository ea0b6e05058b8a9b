import type { BridgeClient } from './bridge-client.ts';

const MARK = 'lintel_fleet';
const GUESTS = 20;
const PIN_LENGTH = 8;

/** Where a fleet is and who taps there. Found by its mark from run to run, made where it is missing. */
export interface FleetPlace {
  readonly organizationId: string;
  readonly siteId: string;
}

interface Named {
  readonly id: string;
}

const found = async (client: BridgeClient, path: string, name: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of client.list<Named>(`${path}?metadata.${MARK}=${encodeURIComponent(name)}`)) ids.push(id);
  return ids;
};

const foundOrMade = async (client: BridgeClient, path: string, name: string, body: object): Promise<string> => {
  const [known] = await found(client, path, name);
  if (known !== undefined) return known;
  return (await client.call<Named>('POST', path, { ...body, metadata: { [MARK]: name } })).id;
};

/** The token's own. */
const organizationOf = async (client: BridgeClient): Promise<string> => {
  for await (const { id } of client.list<Named>('/admin/v1/organizations')) return id;
  throw new Error('the token belongs to no organization that it may administer');
};

const inviteGuests = async (client: BridgeClient, name: string, siteId: string, tagId: string): Promise<void> => {
  const groupId = await foundOrMade(client, '/v2/member_groups', name, {
    name: `Guests of ${name}`,
    permissions: [{ site_id: siteId }],
  });
  const known = await found(client, '/v2/members', name);
  for (let index = known.length; index < GUESTS; index++) {
    const guest = { name: `Guest ${index + 1} of ${name}`, tag_ids: [tagId], metadata: { [MARK]: name } };
    const { id } = await client.call<Named>('POST', '/v2/members', guest);
    await client.call('POST', `/v2/members/${id}/pins`, { length: PIN_LENGTH });
    await client.call('POST', `/v2/members/${id}/group_associations`, { member_group_id: groupId });
  }
};

export const openPlace = async (client: BridgeClient, name: string): Promise<FleetPlace> => {
  const organizationId = await organizationOf(client);
  const admin = `/admin/v1/organizations/${organizationId}`;
  const tagId = await foundOrMade(client, '/v2/tags', name, { name: `Fleet ${name}` });
  const site = { name: `Fleet ${name}`, timezone: 'Europe/Madrid', tag_ids: [tagId] };
  const siteId = await foundOrMade(client, `${admin}/sites`, name, site);
  await inviteGuests(client, name, siteId, tagId);
  return { organizationId, siteId };
};
