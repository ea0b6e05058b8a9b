import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartFault } from '../interfaces/part-fault.ts';
import type {
  ReaderIdentity,
  ReaderReplacement,
  ReaderReplacementOptions,
  SeenAtReplacement,
} from '../interfaces/replaceable-reader.ts';
import type { OsdpReplacementWindow } from './peripheral-state-types.ts';
import { OSDP_INSTALLATION_KEY } from './secure-session.ts';

/** What the bus knows about the reader now. */
interface OsdpReaderView {
  readonly online: boolean;
  readonly fault: PartFault | null;
  /** A reader responds at this address, which the profile does not use. */
  readonly foundAddress: number | null;
}

interface Dependencies {
  readonly clock: MonotonicClock;
  readonly view: () => OsdpReaderView;
  /** Null closes it. */
  readonly setWindow: (window: OsdpReplacementWindow | null) => void;
}

type Result = Omit<ReaderReplacement, 'remaining_ms'>;

const seenIn = ({ online, fault, foundAddress }: OsdpReaderView): SeenAtReplacement => {
  if (online) return 'old_reader';
  if (fault === null) return 'connecting';
  if (fault.kind !== 'absent') return 'refused';
  return foundAddress === null ? 'no_answer' : 'other_address';
};

/** The replacement of one reader: its window of time, and its result until the next one. */
export class OsdpReaderReplacement {
  readonly #parts: Dependencies;
  #running: { readonly window: OsdpReplacementWindow; readonly options: ReaderReplacementOptions } | null = null;
  #result: Result | null = null;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  start(options: ReaderReplacementOptions): void {
    this.cancel();
    const { clock, setWindow } = this.#parts;
    const { key, forMs } = options;
    const base = { bytes: key ?? OSDP_INSTALLATION_KEY, installation: key === null, sets_key: true };
    const window = { base, until: addMilliseconds(clock.now(), forMs) };
    this.#running = { window, options };
    this.#cancelTimer = clock.wake(window.until, () => this.#end(this.#look('timed_out')));
    setWindow(window);
  }

  cancel(): void {
    this.#end(this.#look('canceled'));
  }

  /** The bus closes: nothing is accepted or reported any more. */
  close(): void {
    this.#cancelTimer();
    this.#running = null;
  }

  /** The new reader uses its own key. */
  onReplaced(identity: ReaderIdentity | null): void {
    this.#end({ state: 'done', seen: 'connecting', message: null, found_address: null, identity });
  }

  current(): ReaderReplacement | null {
    if (this.#running === null) return this.#result && { ...this.#result, remaining_ms: 0 };
    const remaining_ms = Math.max(0, this.#running.window.until - this.#parts.clock.now());
    return { ...this.#look('waiting'), remaining_ms };
  }

  #look(state: Result['state']): Result {
    const view = this.#parts.view();
    const seen = seenIn(view);
    const message = view.online ? null : (view.fault?.message ?? null);
    const found_address = seen === 'other_address' ? view.foundAddress : null;
    return { state, seen, message, found_address, identity: null };
  }

  #end(result: Result): void {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    this.#cancelTimer();
    this.#result = result;
    this.#parts.setWindow(null);
    running.options.onEnd({ ...result, remaining_ms: 0 });
  }
}
