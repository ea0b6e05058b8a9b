import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { AdminMessages } from '../messages/en.ts';

interface DoorStatus {
  readonly level: 'ok' | 'error' | 'neutral';
  readonly text: string;
  readonly isOnline: boolean;
}

const alarmStates: ReadonlySet<string> = new Set(['forced', 'held_open', 'tamper']);

/** The state of a door; the last one is out of date while its controller is offline. */
export const describeDoorStatus = (
  door: Pick<GadgetResponse, 'state_id' | 'states'>,
  device: Pick<DeviceResponse, 'status'> | undefined,
  { doors }: AdminMessages,
): DoorStatus => {
  if (device?.status.online !== true) return { level: 'neutral', text: doors.offline, isOnline: false };
  const isAlarm = door.state_id !== null && alarmStates.has(door.state_id);
  const state = door.states.find(({ id }) => id === door.state_id);
  return { level: isAlarm ? 'error' : 'ok', text: state?.name ?? doors.online, isOnline: true };
};
