/**
 * Change it with each change of the words of an image or of their meaning; images of another format are not imported.
 */
export const MEMBER_IMAGE_FORMAT = 2;

/** A part of an image: words, or texts that cannot be packed into words. */
export type MemberImageSection = Uint32Array | readonly string[];

/** The sections do not form an image. */
export class MemberImageError extends Error {
  override readonly name = 'MemberImageError';
}

export const checkImage = (isValid: boolean, problem: string): void => {
  if (!isValid) throw new MemberImageError(problem);
};

/** So many texts are one section, so that writing a section takes a short time. */
const TEXTS_PER_SECTION = 1_000;

export function* exportTexts(texts: readonly string[]): Generator<MemberImageSection> {
  for (let at = 0; at < texts.length; at += TEXTS_PER_SECTION) yield texts.slice(at, at + TEXTS_PER_SECTION);
}

/** Reads the sections of an image in the order in which they were exported. Takes over their buffers. */
export class MemberImageReader {
  readonly #sections: Iterator<MemberImageSection>;

  constructor(sections: Iterable<MemberImageSection>) {
    this.#sections = sections[Symbol.iterator]();
  }

  #next(): MemberImageSection | undefined {
    const { done, value } = this.#sections.next();
    return done === true ? undefined : value;
  }

  words(): Uint32Array {
    const section = this.#next();
    if (!(section instanceof Uint32Array)) throw new MemberImageError('Expected words');
    // The tables read the same buffer as floats.
    checkImage(section.byteOffset === 0 && section.byteLength === section.buffer.byteLength, 'Expected a whole buffer');
    return section;
  }

  /** Exactly so many words. */
  counts(length: number): Uint32Array {
    const words = this.words();
    checkImage(words.length === length, `Expected ${length} counts`);
    return words;
  }

  texts(count: number): string[] {
    const texts: string[] = [];
    while (texts.length < count) {
      const section = this.#next();
      if (section === undefined || section instanceof Uint32Array) throw new MemberImageError('Expected texts');
      checkImage(section.length > 0 && texts.length + section.length <= count, `Expected ${count} texts`);
      for (const text of section) texts.push(text);
    }
    return texts;
  }

  end(): void {
    checkImage(this.#next() === undefined, 'Unexpected section');
  }
}
