import type { Key } from '@lintel/access-core/key-entry-model';
import { after } from '@lintel/access-core/monotonic';
import { KeypadBase } from '../../base/keypad-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ChipLabels } from '../../gpio/gpio-chip.ts';
import { LineRequest } from '../../gpio/line-request.ts';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { ReconnectingPart } from '../../part-health/reconnecting-part.ts';
import { type Contacts, type MatrixState, matrixScan, noKeyDown, stuckKeys } from './matrix-scan.ts';

export interface MatrixKeypadOptions {
  readonly chip: ChipLabels;
  /** Lines from top to bottom. Driven low one after the other, never high: two keys do not short two rows. */
  readonly rows: readonly number[];
  /** Lines from left to right, pulled up. */
  readonly columns: readonly number[];
  /** What is printed on the keys, a text for each row: `123A`. Letters are no keys here. */
  readonly layout?: readonly string[];
  readonly clock: MonotonicClock;
  readonly consumer?: string;
  readonly calls?: DeviceCalls;
}

interface Lines {
  readonly rows: LineRequest;
  readonly columns: LineRequest;
}

const SCAN_MS = 10;
const telephone = ['123A', '456B', '789C', '*0#D'];

const isKey = (text: string | undefined): text is Key => text !== undefined && /^[0-9*#]$/.test(text);

/** A keypad of bare contacts on lines of GPIO. */
export class MatrixKeypad extends KeypadBase {
  readonly #options: MatrixKeypadOptions;
  readonly #lines: ReconnectingPart<Lines>;
  #state: MatrixState = noKeyDown;
  #isStuck = false;
  #cancel: () => void = () => undefined;

  constructor(options: MatrixKeypadOptions) {
    super();
    this.#options = options;
    this.#lines = new ReconnectingPart<Lines>({
      clock: options.clock,
      health: this.health,
      open: () => this.#request(),
      look: () => undefined,
      close: ({ rows, columns }) => {
        rows.close();
        columns.close();
      },
      opened: lines => this.#begin(lines),
      lost: () => this.#cancel(),
    });
    this.#lines.start();
  }

  close(): void {
    this.#cancel();
    this.#lines.stop();
  }

  #request(): Lines {
    const { calls = linuxCalls, chip, consumer = 'lintel', rows, columns } = this.#options;
    const driven = { offsets: rows, flags: ['output', 'open_drain', 'active_low'], consumer } as const;
    const read = { offsets: columns, flags: ['input', 'pull_up', 'active_low'], consumer } as const;
    const request = new LineRequest(calls, chip, driven);
    try {
      return { rows: request, columns: new LineRequest(calls, chip, read) };
    } catch (error) {
      request.close();
      throw error;
    }
  }

  #begin(lines: Lines): void {
    this.#state = noKeyDown;
    this.#isStuck = false;
    this.#later(lines);
  }

  #later(lines: Lines): void {
    const { clock } = this.#options;
    this.#cancel = clock.wake(after(clock.now(), SCAN_MS), () => this.#scan(lines));
  }

  #scan(lines: Lines): void {
    try {
      const { state, pressed } = matrixScan(this.#state, this.#contacts(lines), this.#options.clock.now());
      this.#state = state;
      this.#lookForStuck();
      for (const key of pressed) this.#tell(key);
      this.#later(lines);
    } catch (error) {
      this.#lines.failed(error as Error);
    }
  }

  #contacts({ rows, columns }: Lines): Contacts {
    return this.#options.rows.map((_, driven) => {
      rows.set(this.#options.rows.map((__, row) => row === driven));
      return columns.values();
    });
  }

  #tell(number: number): void {
    const { layout = telephone, columns } = this.#options;
    const key = layout[Math.floor(number / columns.length)]?.[number % columns.length];
    if (isKey(key)) this.press(key);
  }

  #lookForStuck(): void {
    const isStuck = stuckKeys(this.#state, this.#options.clock.now()).length > 0;
    if (isStuck === this.#isStuck) return;
    this.#isStuck = isStuck;
    if (isStuck) this.health.fail('broken', 'a key is stuck');
    else this.health.heal();
  }
}
