import type { MemberTokenRevealed } from '@lintel/wire-protocol/rest/member-token';
import type { BridgeClient } from '../bridge/bridge-client.ts';
import { datesOf, startOfDay, stays } from './guests.ts';
import { phoneOwners } from './hotel-plan.ts';
import type { Kept } from './kept-state.ts';
import type { SeedIds } from './seeding.ts';

/** Moves the reservations to today, unless they are there already. */
export const moveStays = async (bridge: BridgeClient, ids: SeedIds, kept: Kept, now: number): Promise<number> => {
  const today = startOfDay(now);
  if (kept.day === today || kept.day === null) return today;
  for (const stay of stays) {
    const changes = { ...datesOf(stay, now), is_deleted: false };
    await bridge.api('PATCH', `/members/${ids[stay.key]!}`, changes).catch(() => undefined);
  }
  return today;
};

/** Gives every phone without a member token a new one. */
export const fillPhones = async (bridge: BridgeClient, ids: SeedIds, kept: Kept): Promise<Kept['phones']> => {
  const phones: Record<string, string> = { ...kept.phones };
  for (const key of phoneOwners()) {
    if (phones[key] !== undefined) continue;
    const { token } = await bridge.api<MemberTokenRevealed>('POST', `/members/${ids[key]!}/tokens`, {});
    phones[key] = token;
  }
  return phones;
};
