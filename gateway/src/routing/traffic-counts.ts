/** Each cause is told once in a while, however often somebody repeats it. */
export type DropReason =
  | 'no topic of this protocol'
  | 'not signed by its sender'
  | 'nobody is there to hear it'
  | 'only a gateway says that'
  | 'too much at once'
  | 'the line is too slow';

/** What went through the gateway since it started. */
export class TrafficCounts {
  up = 0;
  down = 0;
  local = 0;
  /** Said while there was no line; it is said again, or nobody needs it by then. */
  unheard = 0;
  /** Left with their controllers because there was no room. */
  left = 0;
  #dropped = 0;
  readonly #told = new Set<string>();
  readonly #tell: (device: string, kind: string, reason: DropReason) => void;

  constructor(tell: (device: string, kind: string, reason: DropReason) => void) {
    this.#tell = tell;
  }

  get dropped(): number {
    return this.#dropped;
  }

  drop(device: string, kind: string, reason: DropReason): void {
    this.#dropped++;
    const cause = `${device} ${kind} ${reason}`;
    if (this.#told.has(cause)) return;
    this.#told.add(cause);
    this.#tell(device, kind, reason);
  }

  /** From now on everything is news again. */
  forget(): void {
    this.#told.clear();
  }
}
