import { getErrorCode } from '@lintel/service/error-code';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { debounceLevel, type DebouncedLevel, createDebouncedLevel, InputLinesBase } from '../base/input-lines-base.ts';
import { combinePartHealth } from '../part-health/combined-health.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import type { GpioLineFlag } from './abi.ts';
import { type GpioChipLabels, GpioLineRequest } from './line-request.ts';

interface GpioInputConfig {
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
class GpioInputLine {
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

interface GpioInputsOptions {
  readonly chip: GpioChipLabels;
  readonly inputs: Readonly<Record<string, GpioInputConfig>>;
  readonly clock: MonotonicClock;
  readonly calls?: DeviceSystemCalls;
}

/**
 * Contacts, buttons and tamper switches on GPIO lines. Each line is requested separately, so that a line in use by
 * another program does not disable the exit button.
 */
export class GpioInputs extends InputLinesBase {
  readonly #options: GpioInputsOptions;
  readonly #lines: readonly ReconnectingPart<GpioInputLine>[];

  constructor(options: GpioInputsOptions) {
    super();
    this.#options = options;
    const all = Object.entries(options.inputs).map(([name, input]) => {
      const health = new PartHealth();
      return { health, line: this.#createLine(name, input, health) };
    });
    this.#lines = all.map(({ line }) => line);
    combinePartHealth(
      all.map(({ health }) => health),
      this.health,
    );
    for (const line of this.#lines) line.start();
  }

  close(): void {
    for (const line of this.#lines) line.stop();
  }

  #createLine(name: string, input: GpioInputConfig, health: PartHealth): ReconnectingPart<GpioInputLine> {
    const { calls = linuxSystemCalls, chip, clock } = this.#options;
    const onChange = (isActive: boolean): void => this.report(name, isActive ? 'active' : 'inactive');
    const part: ReconnectingPart<GpioInputLine> = new ReconnectingPart<GpioInputLine>({
      clock,
      health,
      open: () =>
        new GpioInputLine({
          calls,
          chip,
          clock,
          input,
          onChange,
          onFailure: (error: Error) => part.reportFailure(error),
        }),
      // Reads the level twice a second, so that a missed edge is corrected.
      check: line => line.check(),
      close: line => line.close(),
      onOpened: line => line.start(),
      onLost: () => this.report(name, 'unknown'),
    });
    return part;
  }
}
