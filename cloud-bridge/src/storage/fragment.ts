import type { Engine } from './engine.ts';

/** A statement for either engine, with its values. */
export interface Query {
  readonly values: readonly unknown[];
  textFor(engine: Engine): string;
}

/**
 * A piece of SQL with the values in it. Queries of the reading side are put together from these at every request, which
 * costs far less than having a query builder compile them.
 */
export class Fragment implements Query {
  /** One more text than values: the values stand between them. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  textFor(engine: Engine): string {
    let text = this.texts[0]!;
    for (let index = 1; index < this.texts.length; index++) {
      text += engine === 'sqlite' ? `?${this.texts[index]}` : `$${index}${this.texts[index]}`;
    }
    return text;
  }
}

const assemble = (texts: readonly string[], parts: readonly unknown[]): Fragment => {
  const all = [texts[0]!];
  const values: unknown[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part instanceof Fragment) {
      all[all.length - 1] += part.texts[0]!;
      for (let at = 1; at < part.texts.length; at++) all.push(part.texts[at]!);
      values.push(...part.values);
      all[all.length - 1] += texts[index + 1]!;
    } else {
      values.push(part);
      all.push(texts[index + 1]!);
    }
  }
  return new Fragment(all, values);
};

/** Fragments are put in as SQL, everything else as a value. */
export const fragment = (texts: TemplateStringsArray, ...parts: readonly unknown[]): Fragment => assemble(texts, parts);

/** Text of our own as SQL, never anything that came from outside. */
export const rawFragment = (text: string): Fragment => new Fragment([text], []);

export const joinFragments = (fragments: readonly Fragment[], separator: string): Fragment =>
  fragments.length === 0
    ? rawFragment('')
    : assemble(['', ...Array.from({ length: fragments.length - 1 }, () => separator), ''], fragments);
