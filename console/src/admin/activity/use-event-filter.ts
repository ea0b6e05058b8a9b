import { useUrlQueryParameters } from '../router/links.ts';
import { fromDateTimeLocalInput } from '../time/date-time-local-input.ts';
import { type EventFilter, eventKinds } from './event-filter.ts';

/** The filter in the address; times there are those of the site. */
export const useEventFilter = (zone: string): EventFilter => {
  const [{ kind, member, door, device, reason, from, until }] = useUrlQueryParameters();
  return {
    kind: eventKinds.find(one => one === kind) ?? 'all',
    memberId: member ?? null,
    gadgetId: door ?? null,
    deviceId: device ?? null,
    reason: reason ?? null,
    from: fromDateTimeLocalInput(from ?? '', zone),
    until: fromDateTimeLocalInput(until ?? '', zone),
  };
};
