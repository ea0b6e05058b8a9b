import type { DatabaseEngine } from './database-engine-type.ts';

/** A statement with its values, for SQLite or PostgreSQL. */
export interface SqlQuery {
  readonly values: readonly unknown[];
  textFor(engine: DatabaseEngine): string;
}

/**
 * A piece of SQL with its values. Read queries are composed of fragments for every request, which is much faster than
 * compiling them with a query builder.
 */
export class SqlFragment implements SqlQuery {
  /** SQL texts between the values: always one more than values. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  textFor(engine: DatabaseEngine): string {
    let text = this.texts[0]!;
    for (let index = 1; index < this.texts.length; index++) {
      text += engine === 'sqlite' ? `?${this.texts[index]}` : `$${index}${this.texts[index]}`;
    }
    return text;
  }
}

const assemble = (texts: readonly string[], parts: readonly unknown[]): SqlFragment => {
  const all = [texts[0]!];
  const values: unknown[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part instanceof SqlFragment) {
      all[all.length - 1] += part.texts[0]!;
      for (let at = 1; at < part.texts.length; at++) all.push(part.texts[at]!);
      values.push(...part.values);
      all[all.length - 1] += texts[index + 1]!;
    } else {
      values.push(part);
      all.push(texts[index + 1]!);
    }
  }
  return new SqlFragment(all, values);
};

/** Template tag. Embeds fragments as SQL and everything else as a bound value. */
export const sqlFragment = (texts: TemplateStringsArray, ...parts: readonly unknown[]): SqlFragment =>
  assemble(texts, parts);

/** Unescaped SQL. Never pass user input. */
export const rawSql = (text: string): SqlFragment => new SqlFragment([text], []);

export const joinSql = (fragments: readonly SqlFragment[], separator: string): SqlFragment =>
  fragments.length === 0
    ? rawSql('')
    : assemble(['', ...Array.from({ length: fragments.length - 1 }, () => separator), ''], fragments);
