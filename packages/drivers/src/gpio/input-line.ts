import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { type DeviceCalls, errorCode } from '@lintel/service/linux/device-calls';
import type { LineFlag } from './gpio-abi.ts';
import type { ChipLabels } from './gpio-chip.ts';
import { LineRequest } from './line-request.ts';
import { settle, type SettledLevel, settledAt } from './settled-level.ts';

export interface GpioInput {
  readonly line: number;
  /** A switch to ground with a pull-up is active while the line is low. */
  readonly active_low?: boolean;
  readonly pull?: 'up' | 'down' | 'none';
  readonly debounce_ms?: number;
}

interface InputLineParts {
  readonly calls: DeviceCalls;
  readonly chip: ChipLabels;
  readonly clock: MonotonicClock;
  readonly input: GpioInput;
  readonly consumer: string;
  readonly told: (isActive: boolean) => void;
  readonly failed: (error: Error) => void;
}

const DEBOUNCE_MS = 20;
/** What drivers answer that know no debounce. The last is the kernel's own ENOTSUPP, which has no name here. */
const withoutDebounce = new Set([
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'Unknown system error 524',
  'Unknown system error -524',
]);

const pulls = { up: 'pull_up', down: 'pull_down', none: 'no_pull' } as const;

const flagsOf = ({ active_low, pull }: GpioInput): readonly LineFlag[] => [
  'input',
  'rising',
  'falling',
  ...(active_low === true ? (['active_low'] as const) : []),
  ...(pull === undefined ? [] : [pulls[pull]]),
];

/** One line: debounced by the kernel, or here where the kernel does not. */
export class InputLine {
  readonly #parts: InputLineParts;
  readonly #request: LineRequest;
  readonly #debounce_ms: number;
  #isKernelDebounced = true;
  #state: SettledLevel = settledAt(false);
  #cancel: () => void = () => undefined;

  constructor(parts: InputLineParts) {
    this.#parts = parts;
    this.#debounce_ms = parts.input.debounce_ms ?? DEBOUNCE_MS;
    this.#request = this.#open();
  }

  #open(): LineRequest {
    const { calls, chip, consumer, input } = this.#parts;
    const wanted = { offsets: [input.line], flags: flagsOf(input), consumer };
    if (this.#debounce_ms === 0) return new LineRequest(calls, chip, wanted);
    try {
      return new LineRequest(calls, chip, { ...wanted, debounce_us: this.#debounce_ms * 1_000 });
    } catch (error) {
      if (!withoutDebounce.has(errorCode(error))) throw error;
      this.#isKernelDebounced = false;
      return new LineRequest(calls, chip, wanted);
    }
  }

  start(): void {
    this.#state = settledAt(this.#request.values()[0] === true);
    this.#parts.told(this.#state.isActive);
    this.#request.watch(() => this.#guarded(() => this.#edges()));
  }

  /** Throws when the chip has gone. */
  look(): void {
    const isActive = this.#request.values()[0] === true;
    if (this.#isKernelDebounced) return this.#believe(isActive);
    const { clock } = this.#parts;
    const state = settle(this.#state, isActive, this.#debounce_ms, clock.now());
    this.#cancel();
    if (state.changesAt !== null) this.#cancel = clock.wake(state.changesAt, () => this.#guarded(() => this.look()));
    if (state.changesAt === null) this.#believe(state.isActive);
    else this.#state = state;
  }

  close(): void {
    this.#cancel();
    this.#request.close();
  }

  /** Edge by edge, so that a short push of a button is seen though the process was busy while it happened. */
  #edges(): void {
    const events = this.#request.events();
    if (this.#isKernelDebounced) for (const { isRising } of events) this.#believe(isRising);
    this.look();
  }

  #believe(isActive: boolean): void {
    const isNew = this.#state.isActive !== isActive;
    this.#state = settledAt(isActive);
    if (isNew) this.#parts.told(isActive);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.failed(error as Error);
    }
  }
}
