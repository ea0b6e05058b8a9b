interface Timed {
  readonly endsAt: number;
  readonly end: () => void;
}

/** Timers of a simulated peripheral. They fire when a test advances the time. */
export class PeripheralTimers {
  readonly #timed = new Map<string, Timed>();
  #now = 0;

  start(name: string, tenths: number, end: () => void): void {
    this.#timed.set(name, { endsAt: this.#now + tenths * 100, end });
  }

  stop(name: string): void {
    this.#timed.delete(name);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [name, { endsAt, end }] of this.#timed) {
      if (endsAt > this.#now) continue;
      this.#timed.delete(name);
      end();
    }
  }
}
