import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberTokenRevealedResponse } from '@lintel/wire-protocol/rest/member-token';
import type { DemoBridgeClient } from '../bridge/demo-bridge-client.ts';
import { computeStayDates, computeStartOfUtcDay, demoStays } from './demo-people.ts';
import { listPhoneOwners } from './demo-device-plans-and-people.ts';
import type { StoredDemoState } from './stored-demo-state.ts';
import type { DemoIds } from './seed-demo-hotel-and-logins.ts';

/** Moves the stays to the current day, once per day. */
export const moveStaysToToday = async (
  bridge: DemoBridgeClient,
  ids: DemoIds,
  state: Pick<StoredDemoState, 'day'>,
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
export const issueMissingPhoneTokens = async (
  bridge: DemoBridgeClient,
  ids: DemoIds,
  state: Pick<StoredDemoState, 'phones'>,
): Promise<StoredDemoState['phones']> => {
  const phones: Record<string, string> = { ...state.phones };
  for (const key of listPhoneOwners()) {
    if (phones[key] !== undefined) continue;
    const { token } = await bridge.api<MemberTokenRevealedResponse>('POST', `/members/${ids[key]!}/tokens`, {});
    phones[key] = token;
  }
  return phones;
};

/** Creates a link to the guest page for the first guest. */
export const createGuestLink = async (
  bridge: DemoBridgeClient,
  ids: DemoIds,
): Promise<StoredDemoState['guestLink']> => {
  const person = demoStays[0]!.key;
  const path = `/members/${ids[person]!}/magic_links`;
  const { link } = await bridge.api<MemberMagicLinkRevealedResponse>('POST', path, {});
  return { person, url: link };
};
