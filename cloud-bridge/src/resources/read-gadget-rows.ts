import type { VirtualGadgetDefinition } from '@lintel/access-core/gadgets/virtual-gadget';
import type { GadgetRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

export const listActiveGadgetsOfDevice = (
  { db, organizationId }: WriteContext,
  deviceId: string,
): Promise<GadgetRow[]> =>
  db
    .selectFrom('gadgets')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const parseIdsOfJsonObjects = (json: string): string[] =>
  (JSON.parse(json) as { id: string }[]).map(({ id }) => id);

export const toVirtualGadgetDefinition = ({
  actions,
  states,
}: Pick<GadgetRow, 'actions' | 'states'>): VirtualGadgetDefinition => ({
  action_ids: parseIdsOfJsonObjects(actions),
  state_ids: parseIdsOfJsonObjects(states),
});
