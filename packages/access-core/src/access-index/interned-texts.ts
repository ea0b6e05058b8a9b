import { checkImage, exportTexts, type MemberImageReader, type MemberImageSection } from './member-image.ts';

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

  *export(): Generator<MemberImageSection> {
    yield Uint32Array.from(this.#holders);
    yield* exportTexts(this.#texts);
  }

  /** Only if there are no texts yet. */
  import(image: MemberImageReader): void {
    const holders = image.words();
    for (const [number, text] of image.texts(holders.length).entries()) {
      this.#texts.push(text);
      this.#holders.push(holders[number]!);
      if (holders[number] === 0) this.#free.push(number);
      else this.#numbers.set(text, number);
    }
    checkImage(this.#numbers.size + this.#free.length === this.#texts.length, 'A text occurs twice');
  }
}
