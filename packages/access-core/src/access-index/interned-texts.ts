/** Reference-counted texts that cannot be packed into words, each stored once under a number. */
export class InternedTexts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #holders: number[] = [];
  readonly #free: number[] = [];

  retain(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#free.pop() ?? this.#texts.length;
      this.#numbers.set(text, number);
      this.#texts[number] = text;
      this.#holders[number] = 0;
    }
    this.#holders[number]!++;
    return number;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number]!;
  }

  release(number: number): void {
    if (--this.#holders[number]! > 0) return;
    this.#numbers.delete(this.#texts[number]!);
    this.#texts[number] = '';
    this.#free.push(number);
  }
}
