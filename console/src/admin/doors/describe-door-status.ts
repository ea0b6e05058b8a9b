import type { GadgetStateResponse, UnlockedGadget } from '@lintel/wire-protocol/admin/gadget-states';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { AdminMessages } from '../messages/en.ts';

export interface DoorStatus {
  readonly level: 'warning' | 'error' | 'neutral';
  readonly text: string;
  /** Since when and by whom, or how old the state is. */
  readonly detail: string | null;
  /** The state is current and the door can be operated. */
  readonly isOnline: boolean;
  /** It stays unlocked until it is locked. */
  readonly staysUnlocked: boolean;
}

interface DoorFacts {
  readonly door: Pick<GadgetResponse, 'state_id' | 'states'>;
  readonly device: Pick<DeviceResponse, 'status'> | undefined;
  readonly state: GadgetStateResponse | undefined;
  /** When the connection to the bridge was lost; null while there is one. */
  readonly lostAt: string | null;
}

const alarmStates: ReadonlySet<string> = new Set(['forced', 'held_open', 'tamper']);

const describeOpener = ({ by }: UnlockedGadget, { doors }: Pick<AdminMessages, 'doors'>): string | null => {
  if (by === null) return null;
  if (by.type === 'schedule') return doors.by.schedule(by.name);
  if (by.type === 'gadget_trigger') return doors.by.trigger;
  if (by.name === null || by.name === '') return doors.by.someone;
  return by.type === 'oauth_application' ? doors.by.application(by.name) : by.name;
};

/** The state of a door, and whether it is still known. `formatTime` is for a time within a sentence. */
export const describeDoorStatus = (
  { door, device, state, lostAt }: DoorFacts,
  messages: Pick<AdminMessages, 'doors'>,
  formatTime: (iso: string) => string,
): DoorStatus => {
  const { doors } = messages;
  const stateName = door.states.find(({ id }) => id === door.state_id)?.name;
  const isDeviceOnline = device?.status.online === true;
  if (!isDeviceOnline || lostAt !== null) {
    const knownAt = isDeviceOnline ? lostAt : (state?.known_at ?? null);
    const age = knownAt === null ? doors.notCurrent : doors.lastKnown(formatTime(knownAt));
    const text = isDeviceOnline ? (stateName ?? doors.stateUnknown) : doors.offline;
    const detail = isDeviceOnline || stateName === undefined ? age : `${stateName} (${age})`;
    return { level: 'neutral', text, detail, isOnline: false, staysUnlocked: false };
  }
  // The list of states may be a moment behind the state itself.
  const unlocked = state?.state_id === door.state_id ? (state.unlocked ?? null) : null;
  const isUnlocked = unlocked !== null || door.state_id === 'unlocked';
  const text = stateName ?? (door.states.length === 0 ? doors.online : doors.stateUnknown);
  const since =
    unlocked === null
      ? ''
      : doors.unlockedSince(
          unlocked.since === null ? null : formatTime(unlocked.since),
          describeOpener(unlocked, messages),
          unlocked.stays,
        );
  const isAlarm = door.state_id !== null && alarmStates.has(door.state_id);
  return {
    level: isAlarm ? 'error' : isUnlocked ? 'warning' : 'neutral',
    text: unlocked?.stays === true && door.state_id !== 'unlocked' ? doors.unlockedAndOpen(text) : text,
    detail: since === '' ? null : since,
    isOnline: true,
    staysUnlocked: unlocked?.stays === true,
  };
};
