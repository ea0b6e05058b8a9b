import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { parseDateTimeLocalValue } from '../time/date-time-local-value.ts';
import { type EventFilter, eventFilterKinds } from './event-filter.ts';

/** The filter in the address; times there are those of the site. */
export const useEventFilter = (zone: string): EventFilter => {
  const [{ kind, member, door, device, reason, from, until }] = useUrlQueryParameters();
  return {
    kind: eventFilterKinds.find(one => one === kind) ?? 'all',
    memberId: member ?? null,
    gadgetId: door ?? null,
    deviceId: device ?? null,
    reason: reason ?? null,
    from: parseDateTimeLocalValue(from ?? '', zone),
    until: parseDateTimeLocalValue(until ?? '', zone),
  };
};
