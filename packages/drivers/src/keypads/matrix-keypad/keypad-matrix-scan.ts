import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';

/** For each row, whether each column is connected to it now. */
export type KeypadMatrixContacts = readonly (readonly boolean[])[];

interface Settling {
  readonly key: number;
  readonly since: MonotonicTime;
}

export interface KeypadMatrixState {
  /** Keys that are down after debouncing, numbered row by row, with the time of the press. */
  readonly down: readonly Settling[];
  /** Keys whose level has changed and is being debounced. */
  readonly settling: readonly Settling[];
}

export const initialKeypadMatrixState: KeypadMatrixState = { down: [], settling: [] };

const DEBOUNCE_MS = 30;
/** A key held this long is reported as stuck. */
const STUCK_MS = 30_000;

const connected = (contacts: KeypadMatrixContacts): readonly number[] =>
  contacts.flatMap((row, rowIndex) =>
    row.flatMap((isConnected, column) => (isConnected ? [rowIndex * row.length + column] : [])),
  );

/**
 * Two keys of one column connect their rows: a third key in either row then also shows in the other one, and a column
 * that returns slowly to its idle level looks like the key below. The state is ignored until it is unambiguous.
 */
const isGhostly = ([first = [], ...others]: KeypadMatrixContacts): boolean =>
  first.some((_, column) => [first, ...others].filter(row => row[column] === true).length > 1);

/** Scans the whole matrix once. Returns the keys newly pressed, in the order of pressing. */
export const stepKeypadMatrix = (
  state: KeypadMatrixState,
  contacts: KeypadMatrixContacts,
  now: MonotonicTime,
): { readonly state: KeypadMatrixState; readonly pressed: readonly number[] } => {
  if (isGhostly(contacts)) return { state: { ...state, settling: [] }, pressed: [] };
  const seen = connected(contacts);
  const wasDown = (key: number): boolean => state.down.some(held => held.key === key);
  const changing = [
    ...seen.filter(key => !wasDown(key)),
    ...state.down.map(({ key }) => key).filter(key => !seen.includes(key)),
  ];
  const settling = changing.map(key => state.settling.find(one => one.key === key) ?? { key, since: now });
  const isDue = ({ since }: Settling): boolean => now >= addMilliseconds(since, DEBOUNCE_MS);
  const due = settling.filter(isDue).sort((a, b) => a.since - b.since);
  const pressed = due.filter(({ key }) => !wasDown(key));
  const down = [...state.down.filter(({ key }) => !due.some(one => one.key === key)), ...pressed];
  return {
    state: { down, settling: settling.filter(one => !isDue(one)) },
    pressed: pressed.map(({ key }) => key),
  };
};

export const listStuckKeys = ({ down }: KeypadMatrixState, now: MonotonicTime): readonly number[] =>
  down.filter(({ since }) => now >= addMilliseconds(since, STUCK_MS)).map(({ key }) => key);
