import { listPinEntries } from '@lintel/access-core/pin-entries';
import type { GuestMembership, GuestPinsResponse } from '@lintel/wire-protocol/guest/guest-api';
import type { Kysely } from 'kysely';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { loadOrganizationWithoutMembers } from '../devices/access-snapshot/organization-without-members.ts';
import { loadEffectiveAccess } from '../devices/effective-access.ts';
import { ApiError } from '../http/api-error.ts';
import { parseDeviceCapabilities } from '../resources/device-capabilities.ts';
import { revealMemberPin } from '../resources/member-pins.ts';
import type { Database, MemberRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { AuthenticatedGuestMember } from './guest-sessions.ts';

const MOST_PINS = 10;

const listPinIds = async (db: Kysely<Database>, memberId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('member_pins')
    .select('id')
    .where('member_id', '=', memberId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at', 'desc')
    .limit(MOST_PINS)
    .execute();
  return rows.map(({ id }) => id);
};

/** Whether the page of the guest may show PINs. */
export const describeGuestPins = async (
  db: Kysely<Database>,
  { member, settings }: AuthenticatedGuestMember,
): Promise<GuestMembership['pins']> =>
  settings.guest_pins === 'off' || (await listPinIds(db, member.id)).length === 0 ? 'none' : settings.guest_pins;

const loadEntries = async (
  { storage, clock }: BridgeServices,
  member: MemberRow,
): Promise<GuestPinsResponse['entries']> => {
  const { reader: db, engine } = storage;
  const structure = await loadOrganizationWithoutMembers(db, member.organization_id);
  const doors = [...structure.gadgets.values()];
  const access = await loadEffectiveAccess({ db, engine, structure, now: clock() }, [member], doors);
  const rows = await db
    .selectFrom('devices')
    .select(['id', 'capabilities'])
    .where('organization_id', '=', member.organization_id)
    .where('is_deleted', '=', 0)
    .execute();
  const devices = rows.map(row => ({
    id: row.id,
    capabilities: parseDeviceCapabilities(row),
    input_rules: structure.devices.get(row.id)?.input_rules ?? [],
  }));
  return listPinEntries(access.get(member.id)?.access ?? [], doors, devices).map(({ door, code }) => ({
    door: door.name,
    site: structure.sites.get(door.site_id)?.name ?? '',
    code,
  }));
};

/** Shows the member's own PINs, and what to type at each door. Each PIN is logged as revealed by the guest. */
export const revealGuestPins = async (
  services: BridgeServices,
  { member, settings }: AuthenticatedGuestMember,
  actor: Actor,
): Promise<GuestPinsResponse> => {
  if (settings.guest_pins === 'off') throw new ApiError('forbidden', 'This organization shows no PINs on this page');
  const entries = await loadEntries(services, member);
  const pins = await services.writer.write(member.organization_id, actor, async context => {
    const revealed: { pin: string }[] = [];
    for (const id of await listPinIds(context.db, member.id)) {
      const { pin } = await revealMemberPin(context, { parentId: member.id, id }, { reason: 'guest_page' });
      revealed.push({ pin });
    }
    return revealed;
  });
  return { pins, entries };
};
