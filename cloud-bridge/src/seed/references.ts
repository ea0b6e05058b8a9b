import { invalid } from '../http/api-error.ts';
import type { SeedEntry } from './seed-file.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the keys of the file stand for; keys of earlier files can be referred to as well. */
export class SeedIds {
  readonly #ids = new Map<string, string>();
  readonly #earlier: ReadonlyMap<string, string>;

  constructor(earlier: ReadonlyMap<string, string>) {
    this.#earlier = earlier;
  }

  set(key: string, id: string): void {
    this.#ids.set(key, id);
  }

  has(key: string): boolean {
    return this.#ids.has(key);
  }

  require(key: unknown, path: string): string {
    const id = typeof key === 'string' ? (this.#ids.get(key) ?? this.#earlier.get(key)) : undefined;
    if (id === undefined) throw invalid(path, `${path}: there is nothing with the key ${JSON.stringify(key)}`);
    return id;
  }

  asObject(): Record<string, string> {
    return Object.fromEntries(this.#ids);
  }
}

/** Turns a key under `name` into an id under `field`; without the name nothing is said. */
export const replaceKey = (fields: Fields, name: string, field: string, ids: SeedIds, path: string): Fields => {
  if (!(name in fields)) return fields;
  const { [name]: key, ...rest } = fields;
  return { ...rest, [field]: key === null ? null : ids.require(key, `${path}.${name}`) };
};

/** `tags` names the object's tags by their keys. */
export const withTags = (entry: SeedEntry, ids: SeedIds): Fields => {
  if (!('tags' in entry.fields)) return entry.fields;
  const { tags, ...rest } = entry.fields;
  return {
    ...rest,
    tag_ids: listAt(tags, `${entry.path}.tags`).map((key, index) => ids.require(key, `${entry.path}.tags.${index}`)),
  };
};

export const listAt = (value: unknown, path: string): readonly unknown[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(path, `${path} must be a list`);
  return value as readonly unknown[];
};

export const fieldsAt = (value: unknown, path: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalid(path, `${path} must be an object`);
};
