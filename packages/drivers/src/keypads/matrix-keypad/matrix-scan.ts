import { after, type Monotonic } from '@lintel/access-core/monotonic';

/** For each row the columns that are connected to it now. */
export type Contacts = readonly (readonly boolean[])[];

interface Settling {
  readonly key: number;
  readonly since: Monotonic;
}

export interface MatrixState {
  /** Keys by number, row after row, that are down and have lasted, with the time since when. */
  readonly down: readonly Settling[];
  /** Keys that are about to change. */
  readonly settling: readonly Settling[];
}

export const noKeyDown: MatrixState = { down: [], settling: [] };

const DEBOUNCE_MS = 30;
/** Nobody leans on a key for so long. */
const STUCK_MS = 30_000;

const connected = (contacts: Contacts): readonly number[] =>
  contacts.flatMap((row, rowIndex) =>
    row.flatMap((isConnected, column) => (isConnected ? [rowIndex * row.length + column] : [])),
  );

/**
 * Three keys at the corners of a rectangle connect the fourth too. Which of the four is not pressed cannot be seen, so
 * none of them is believed until it clears.
 */
const isGhostly = (contacts: Contacts): boolean =>
  contacts.some((row, index) =>
    contacts.slice(index + 1).some(other => row.filter((isOn, column) => isOn && other[column] === true).length > 1),
  );

/** One look at the whole matrix. The answer names the keys that went down with it, in the order of pressing. */
export const matrixScan = (
  state: MatrixState,
  contacts: Contacts,
  now: Monotonic,
): { readonly state: MatrixState; readonly pressed: readonly number[] } => {
  if (isGhostly(contacts)) return { state: { ...state, settling: [] }, pressed: [] };
  const seen = connected(contacts);
  const wasDown = (key: number): boolean => state.down.some(held => held.key === key);
  const changing = [
    ...seen.filter(key => !wasDown(key)),
    ...state.down.map(({ key }) => key).filter(key => !seen.includes(key)),
  ];
  const settling = changing.map(key => state.settling.find(one => one.key === key) ?? { key, since: now });
  const isDue = ({ since }: Settling): boolean => now >= after(since, DEBOUNCE_MS);
  const due = settling.filter(isDue).sort((a, b) => a.since - b.since);
  const pressed = due.filter(({ key }) => !wasDown(key));
  const down = [...state.down.filter(({ key }) => !due.some(one => one.key === key)), ...pressed];
  return {
    state: { down, settling: settling.filter(one => !isDue(one)) },
    pressed: pressed.map(({ key }) => key),
  };
};

export const stuckKeys = ({ down }: MatrixState, now: Monotonic): readonly number[] =>
  down.filter(({ since }) => now >= after(since, STUCK_MS)).map(({ key }) => key);
