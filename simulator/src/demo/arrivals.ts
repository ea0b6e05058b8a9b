import type { MemberTokenRevealed } from '@lintel/wire-protocol/rest/member-token';
import type { BridgeClient } from '../bridge/bridge-client.ts';
import { datesOf, startOfDay, stays } from './guests.ts';
import { phoneOwners } from './hotel-plan.ts';
import type { Kept } from './kept-secrets.ts';

type Ids = Readonly<Record<string, string>>;

/** Reservations stay around today: on another day than the last time they are moved, as a booking system would. */
export const moveStays = async (bridge: BridgeClient, ids: Ids, kept: Kept, now: number): Promise<number> => {
  const today = startOfDay(now);
  if (kept.day === today || kept.day === null) return today;
  for (const stay of stays) {
    const changes = { ...datesOf(stay, now), is_deleted: false };
    await bridge.api('PATCH', `/members/${ids[stay.key]!}`, changes).catch(() => undefined);
  }
  return today;
};

/** Every phone has its token, made anew where it was lost. */
export const fillPhones = async (bridge: BridgeClient, ids: Ids, kept: Kept): Promise<Kept['phones']> => {
  const phones: Record<string, string> = { ...kept.phones };
  for (const key of phoneOwners()) {
    if (phones[key] !== undefined) continue;
    const { token } = await bridge.api<MemberTokenRevealed>('POST', `/members/${ids[key]!}/tokens`, {});
    phones[key] = token;
  }
  return phones;
};
