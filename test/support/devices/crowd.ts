import type { BridgeWorld, OrganizationClient } from '../bridge/bridge-world.ts';
import { administer } from '../bridge/place.ts';

const AT_ONCE = 500;

/** So many members of a group, without a call of the API for each. */
export const aCrowd = (world: BridgeWorld, client: OrganizationClient, groupId: string, count: number): Promise<void> =>
  administer(world, client, async ({ db, newId, organizationId, now }) => {
    const common = { organization_id: organizationId, is_deleted: 0, created_at: now, metadata: '{}' } as const;
    const range = { starts_at: null, ends_at: null };
    const shown = { name: 'Crowd', language: null, tag_ids: '[]', expired_for: null };
    for (let from = 0; from < count; from += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, count - from) }, () => newId('member'));
      await db
        .insertInto('members')
        .values(ids.map(id => ({ id, ...common, ...range, ...shown })))
        .execute();
      const held = ids.map(member_id => {
        const id = newId('member_group_association');
        return { id, member_id, member_group_id: groupId, ...common, ...range };
      });
      await db.insertInto('member_group_associations').values(held).execute();
    }
  });
