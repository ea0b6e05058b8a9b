import { getErrorCode } from '@lintel/service/error-code';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import type { GpioLineFlag } from './gpio-abi.ts';
import type { GpioChipLabels } from './gpio-chip.ts';
import { GpioLineRequest } from './line-request.ts';
import { debounceLevel, type DebouncedLevel, createDebouncedLevel } from './debounced-level.ts';

export interface GpioInputConfig {
  readonly line: number;
  /** A switch to ground with a pull-up is active while the line is low. */
  readonly active_low?: boolean;
  readonly pull?: 'up' | 'down' | 'none';
  readonly debounce_ms?: number;
}

interface InputLineDependencies {
  readonly calls: DeviceSystemCalls;
  readonly chip: GpioChipLabels;
  readonly clock: MonotonicClock;
  readonly input: GpioInputConfig;
  readonly onChange: (isActive: boolean) => void;
  readonly onFailure: (error: Error) => void;
}

const DEBOUNCE_MS = 20;
/** Errors from drivers without debounce. The last two are the kernel's ENOTSUPP, which has no name in Node. */
const withoutDebounce = new Set([
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'Unknown system error 524',
  'Unknown system error -524',
]);

const pulls = { up: 'pull_up', down: 'pull_down', none: 'no_pull' } as const;

const flagsOf = ({ active_low, pull }: GpioInputConfig): readonly GpioLineFlag[] => [
  'input',
  'rising',
  'falling',
  ...(active_low === true ? (['active_low'] as const) : []),
  ...(pull === undefined ? [] : [pulls[pull]]),
];

/** One input line, debounced by the kernel, or in this class if the kernel cannot. */
export class GpioInputLine {
  readonly #parts: InputLineDependencies;
  readonly #request: GpioLineRequest;
  readonly #debounce_ms: number;
  #isKernelDebounced = true;
  #state: DebouncedLevel = createDebouncedLevel(false);
  #cancel: () => void = () => undefined;

  constructor(parts: InputLineDependencies) {
    this.#parts = parts;
    this.#debounce_ms = parts.input.debounce_ms ?? DEBOUNCE_MS;
    this.#request = this.#open();
  }

  #open(): GpioLineRequest {
    const { calls, chip, input } = this.#parts;
    const wanted = { offsets: [input.line], flags: flagsOf(input) };
    if (this.#debounce_ms === 0) return new GpioLineRequest(calls, chip, wanted);
    try {
      return new GpioLineRequest(calls, chip, { ...wanted, debounce_us: this.#debounce_ms * 1_000 });
    } catch (error) {
      if (!withoutDebounce.has(getErrorCode(error))) throw error;
      this.#isKernelDebounced = false;
      return new GpioLineRequest(calls, chip, wanted);
    }
  }

  start(): void {
    this.#state = createDebouncedLevel(this.#request.values()[0] === true);
    this.#parts.onChange(this.#state.isActive);
    this.#request.watch(() => this.#guarded(() => this.#edges()));
  }

  /** Throws if the chip is gone. */
  check(): void {
    const isActive = this.#request.values()[0] === true;
    if (this.#isKernelDebounced) return this.#setLevel(isActive);
    const { clock } = this.#parts;
    const state = debounceLevel(this.#state, isActive, this.#debounce_ms, clock.now());
    this.#cancel();
    if (state.changesAt !== null) this.#cancel = clock.wake(state.changesAt, () => this.#guarded(() => this.check()));
    if (state.changesAt === null) this.#setLevel(state.isActive);
    else this.#state = state;
  }

  close(): void {
    this.#cancel();
    this.#request.close();
  }

  /** Handles each edge, so that a short button press is seen even if the process was busy. */
  #edges(): void {
    const events = this.#request.events();
    if (this.#isKernelDebounced) for (const { isRising } of events) this.#setLevel(isRising);
    this.check();
  }

  #setLevel(isActive: boolean): void {
    const isNew = this.#state.isActive !== isActive;
    this.#state = createDebouncedLevel(isActive);
    if (isNew) this.#parts.onChange(isActive);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.onFailure(error as Error);
    }
  }
}
