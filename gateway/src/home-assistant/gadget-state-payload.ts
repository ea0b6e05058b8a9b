/** States that only a door with a contact reports. */
const openStates: readonly (string | null)[] = ['open', 'held_open', 'forced'];
const closedStates: readonly (string | null)[] = ['locked', 'unlocked', 'closed'];

/** Null is unknown. */
type Reading = 'ON' | 'OFF' | null;

export interface HomeAssistantGadgetStatePayload {
  readonly state: string | null;
  /** `ON` is unlocked. */
  readonly lock: Reading;
  /** `ON` is open. */
  readonly door: Reading;
}

export const hasLockStates = (states: ReadonlySet<string>): boolean => states.has('locked') && states.has('unlocked');

export const canReportDoorOpen = (states: ReadonlySet<string>): boolean => states.has('open');

const readLock = (state: string | null): Reading => {
  if (state === 'locked') return 'OFF';
  return state === 'unlocked' || openStates.includes(state) ? 'ON' : null;
};

const readDoor = (state: string | null): Reading => {
  if (openStates.includes(state)) return 'ON';
  return closedStates.includes(state) ? 'OFF' : null;
};

/** A door that is open counts as unlocked, because it does not keep anyone out. */
export const toHomeAssistantGadgetStatePayload = (state: string | null): HomeAssistantGadgetStatePayload => ({
  state,
  lock: readLock(state),
  door: readDoor(state),
});
