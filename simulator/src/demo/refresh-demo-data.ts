import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberTokenRevealedResponse } from '@lintel/wire-protocol/rest/member-token';
import type { BridgeClient } from '../bridge/bridge-client.ts';
import { computeStayDates, computeStartOfUtcDay, demoStays } from './demo-people.ts';
import { listPhoneOwners } from './demo-plans.ts';
import type { DemoState } from './demo-state.ts';
import type { DemoIds } from './seed-hotel.ts';

/** Moves the stays to the current day, once per day. */
export const moveStaysToToday = async (
  bridge: BridgeClient,
  ids: DemoIds,
  state: Pick<DemoState, 'day'>,
  now: number,
): Promise<number> => {
  const today = computeStartOfUtcDay(now);
  if (state.day === today || state.day === null) return today;
  for (const stay of demoStays) {
    const changes = { ...computeStayDates(stay, now), is_deleted: false };
    await bridge.api('PATCH', `/members/${ids[stay.key]!}`, changes).catch(() => undefined);
  }
  return today;
};

/** Creates a member token for each phone without one. */
export const issuePhoneTokens = async (
  bridge: BridgeClient,
  ids: DemoIds,
  state: Pick<DemoState, 'phones'>,
): Promise<DemoState['phones']> => {
  const phones: Record<string, string> = { ...state.phones };
  for (const key of listPhoneOwners()) {
    if (phones[key] !== undefined) continue;
    const { token } = await bridge.api<MemberTokenRevealedResponse>('POST', `/members/${ids[key]!}/tokens`, {});
    phones[key] = token;
  }
  return phones;
};

/** Creates a link to the guest page for the first guest. */
export const createGuestLink = async (bridge: BridgeClient, ids: DemoIds): Promise<DemoState['guestLink']> => {
  const person = demoStays[0]!.key;
  const path = `/members/${ids[person]!}/magic_links`;
  const { link } = await bridge.api<MemberMagicLinkRevealedResponse>('POST', path, {});
  return { person, url: link };
};
