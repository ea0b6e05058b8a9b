import { mustBeArray, mustBeObject } from '@lintel/access-core/problem-texts';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { SeedEntry } from './seed-file.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Resolves the keys of a seed file to ids, including keys of earlier files. */
export class SeedKeyResolver {
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

  resolve(key: unknown, path: string): string {
    const id = typeof key === 'string' ? (this.#ids.get(key) ?? this.#earlier.get(key)) : undefined;
    if (id === undefined)
      throw createInvalidFieldError(path, `refers to the key ${JSON.stringify(key)}, which does not exist`);
    return id;
  }

  asObject(): Record<string, string> {
    return Object.fromEntries(this.#ids);
  }
}

/** Replaces the key in the field `name` with an id in the field `field`, if the field is present. */
export const replaceSeedKeyWithId = (
  fields: Fields,
  name: string,
  field: string,
  ids: SeedKeyResolver,
  path: string,
): Fields => {
  if (!(name in fields)) return fields;
  const { [name]: key, ...rest } = fields;
  return { ...rest, [field]: key === null ? null : ids.resolve(key, `${path}.${name}`) };
};

/** Replaces the keys in `tags` with ids in `tag_ids`. */
export const replaceSeedTagKeysWithIds = (entry: SeedEntry, ids: SeedKeyResolver): Fields => {
  if (!('tags' in entry.fields)) return entry.fields;
  const { tags, ...rest } = entry.fields;
  return {
    ...rest,
    tag_ids: requireSeedList(tags, `${entry.path}.tags`).map((key, index) =>
      ids.resolve(key, `${entry.path}.tags.${index}`),
    ),
  };
};

export const requireSeedList = (value: unknown, path: string): readonly unknown[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw createInvalidFieldError(path, mustBeArray);
  return value as readonly unknown[];
};

export const requireSeedFields = (value: unknown, path: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw createInvalidFieldError(path, mustBeObject);
};
