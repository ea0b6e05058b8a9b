/** The levels of the outputs, computed from the reported switching commands. A pulse ends by itself. */
export class OutputLevels {
  readonly #on = new Map<string, NodeJS.Timeout | null>();
  readonly #onChange: (output: string, isOn: boolean) => void;

  constructor(onChange: (output: string, isOn: boolean) => void) {
    this.#onChange = onChange;
  }

  isOn(output: string): boolean {
    return this.#on.has(output);
  }

  set(output: string, isOn: boolean, pulse_ms: number | null): void {
    const wasOn = this.#on.has(output);
    clearTimeout(this.#on.get(output) ?? undefined);
    if (isOn) this.#on.set(output, pulse_ms === null ? null : this.#scheduleOff(output, pulse_ms));
    else this.#on.delete(output);
    if (wasOn !== isOn) this.#onChange(output, isOn);
  }

  #scheduleOff(output: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.set(output, false, null), ms).unref();
  }

  /** Switches all outputs off, as a power cut does. */
  allOff(): void {
    for (const output of this.#on.keys()) this.set(output, false, null);
  }
}
