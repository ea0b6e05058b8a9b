import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { KeypadBase } from '../base/keypad-base.ts';
import { type GpioChipLabels, GpioLineRequest } from '../gpio/line-request.ts';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';

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

interface MatrixKeypadOptions {
  readonly chip: GpioChipLabels;
  /**
   * Lines from top to bottom. Each is driven low in turn and never high, so that two pressed keys do not short two
   * rows.
   */
  readonly rows: readonly number[];
  /** Lines from left to right, pulled up. */
  readonly columns: readonly number[];
  /** The labels of the keys, one string per row: `123A`. Letters are ignored. */
  readonly layout?: readonly string[];
  readonly clock: MonotonicClock;
  /** Time for the columns to follow a row. Long cables need more. */
  readonly settle_us?: number;
  /** Blocks for some microseconds. */
  readonly wait?: (microseconds: number) => void;
  readonly calls?: DeviceSystemCalls;
}

interface Lines {
  readonly rows: GpioLineRequest;
  readonly columns: GpioLineRequest;
}

const SCAN_MS = 10;
const SETTLE_US = 20;

/** Timers are too coarse: they would take a millisecond for each row. */
const busyWait = (microseconds: number): void => {
  const end = process.hrtime.bigint() + BigInt(microseconds) * 1_000n;
  while (process.hrtime.bigint() < end);
};

const telephone = ['123A', '456B', '789C', '*0#D'];

const isKey = (text: string | undefined): text is KeypadKey => text !== undefined && /^[0-9*#]$/.test(text);

/** A keypad of bare contacts on GPIO lines. */
export class MatrixKeypad extends KeypadBase {
  readonly #options: MatrixKeypadOptions;
  readonly #lines: ReconnectingPart<Lines>;
  #state: KeypadMatrixState = initialKeypadMatrixState;
  #isStuck = false;
  #cancel: () => void = () => undefined;

  constructor(options: MatrixKeypadOptions) {
    super();
    this.#options = options;
    this.#lines = new ReconnectingPart<Lines>({
      clock: options.clock,
      health: this.health,
      open: () => this.#request(),
      check: () => undefined,
      close: ({ rows, columns }) => {
        rows.close();
        columns.close();
      },
      onOpened: lines => this.#begin(lines),
      onLost: () => this.#cancel(),
    });
    this.#lines.start();
  }

  close(): void {
    this.#cancel();
    this.#lines.stop();
  }

  #request(): Lines {
    const { calls = linuxSystemCalls, chip, rows, columns } = this.#options;
    const driven = { offsets: rows, flags: ['output', 'open_drain', 'active_low'] } as const;
    const read = { offsets: columns, flags: ['input', 'pull_up', 'active_low'] } as const;
    const request = new GpioLineRequest(calls, chip, driven);
    try {
      return { rows: request, columns: new GpioLineRequest(calls, chip, read) };
    } catch (error) {
      request.close();
      throw error;
    }
  }

  #begin(lines: Lines): void {
    this.#state = initialKeypadMatrixState;
    this.#isStuck = false;
    this.#schedule(lines);
  }

  #schedule(lines: Lines): void {
    const { clock } = this.#options;
    this.#cancel = clock.wake(addMilliseconds(clock.now(), SCAN_MS), () => this.#scan(lines));
  }

  #scan(lines: Lines): void {
    try {
      const { state, pressed } = stepKeypadMatrix(this.#state, this.#contacts(lines), this.#options.clock.now());
      this.#state = state;
      this.#checkStuckKeys();
      for (const key of pressed) this.#pressKey(key);
      this.#schedule(lines);
    } catch (error) {
      this.#lines.reportFailure(error as Error);
    }
  }

  #contacts({ rows, columns }: Lines): KeypadMatrixContacts {
    const { settle_us = SETTLE_US, wait = busyWait } = this.#options;
    return this.#options.rows.map((_, driven) => {
      rows.set(this.#options.rows.map((__, row) => row === driven));
      wait(settle_us);
      return columns.values();
    });
  }

  #pressKey(number: number): void {
    const { layout = telephone, columns } = this.#options;
    const key = layout[Math.floor(number / columns.length)]?.[number % columns.length];
    if (isKey(key)) this.press(key);
  }

  #checkStuckKeys(): void {
    const isStuck = listStuckKeys(this.#state, this.#options.clock.now()).length > 0;
    if (isStuck === this.#isStuck) return;
    this.#isStuck = isStuck;
    if (isStuck) this.health.fail('broken', 'A key is stuck');
    else this.health.clear();
  }
}
