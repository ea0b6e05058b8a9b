import type { GadgetStatesResponse } from '@lintel/wire-protocol/admin/gadget-states';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useEventStreamLostAt } from '../api/live-events.tsx';
import { useApiObject } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { describeDoorStatus, type DoorStatus } from './describe-door-status.ts';

/** Notices a lost connection also without the event stream, which not every role may follow. */
const RELOAD_MS = 30_000;

const useGadgetStates = () => useApiObject<GadgetStatesResponse>('gadget_state', '/gadget_states', {}, true, RELOAD_MS);

/** When the connection to the bridge was lost; null while there is one. */
export const useConnectionLostAt = (): string | null => {
  const lostAt = useEventStreamLostAt();
  const { isError, dataUpdatedAt } = useGadgetStates();
  return lostAt ?? (isError && dataUpdatedAt > 0 ? new Date(dataUpdatedAt).toISOString() : null);
};

/** The state of a door as the page may show it. */
export const useDoorStatus = (door: GadgetResponse, device: DeviceResponse | undefined): DoorStatus => {
  const messages = useMessages();
  const { formatWithin } = useSiteTimeFormats(door.site_id);
  const lostAt = useConnectionLostAt();
  const { data } = useGadgetStates();
  const state = data?.gadgets.find(({ gadget_id }) => gadget_id === door.id);
  return describeDoorStatus({ door, device, state, lostAt }, messages, formatWithin);
};
