/** What the outputs of a board do, by what is told of them: pulses end by themselves. */
export class OutputLevels {
  readonly #on = new Map<string, NodeJS.Timeout | null>();
  readonly #changed: (output: string, isOn: boolean) => void;

  constructor(changed: (output: string, isOn: boolean) => void) {
    this.#changed = changed;
  }

  isOn(output: string): boolean {
    return this.#on.has(output);
  }

  set(output: string, isOn: boolean, pulse_ms: number | null): void {
    const wasOn = this.#on.has(output);
    clearTimeout(this.#on.get(output) ?? undefined);
    if (isOn) this.#on.set(output, pulse_ms === null ? null : this.#end(output, pulse_ms));
    else this.#on.delete(output);
    if (wasOn !== isOn) this.#changed(output, isOn);
  }

  #end(output: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.set(output, false, null), ms).unref();
  }

  /** Without current nothing is on. */
  allOff(): void {
    for (const output of this.#on.keys()) this.set(output, false, null);
  }
}
