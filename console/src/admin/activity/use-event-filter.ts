import { useQueryParameters } from '../router/links.ts';
import { fromLocalInput } from '../time/site-time.ts';
import { type EventFilter, eventKinds } from './event-filter.ts';

/** The filter in the address; times there are those of the site. */
export const useEventFilter = (zone: string): EventFilter => {
  const [{ kind, member, door, device, reason, from, until }] = useQueryParameters();
  return {
    kind: eventKinds.find(one => one === kind) ?? 'all',
    memberId: member ?? null,
    gadgetId: door ?? null,
    deviceId: device ?? null,
    reason: reason ?? null,
    from: fromLocalInput(from ?? '', zone),
    until: fromLocalInput(until ?? '', zone),
  };
};
