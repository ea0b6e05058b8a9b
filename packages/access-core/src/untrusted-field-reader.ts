import * as texts from './problem-texts.ts';
import { type Id, type IdKind, parseId } from './ids.ts';
import { ProblemList } from './problem-list.ts';

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const joinFieldPath = (path: string, key: string | number): string =>
  path === '' ? String(key) : `${path}.${key}`;

/**
 * Reads the own fields of an untrusted object and collects problems. On a problem it returns a harmless value of the
 * right type, so that the caller can continue and check `problems` at the end.
 */
export class FieldReader {
  readonly problems: ProblemList;
  readonly path: string;
  readonly isObject: boolean;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(input: unknown, path: string, known: readonly string[], problems = new ProblemList()) {
    this.path = path;
    this.problems = problems;
    this.isObject = isPlainObject(input);
    this.#fields = isPlainObject(input) ? input : {};
    if (!this.isObject) problems.add(path, 'invalid_type', texts.mustBeObject);
    for (const key of Object.keys(this.#fields)) {
      if (problems.isFull) return;
      if (!known.includes(key)) this.refuse(key, 'unknown_field', texts.isUnknownField());
    }
  }

  get(key: string): unknown {
    return Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
  }

  isSet(key: string): boolean {
    const value = this.get(key);
    return value !== undefined && value !== null;
  }

  refuse(key: string, code: string, message: string): void {
    this.problems.add(joinFieldPath(this.path, key), code, message);
  }

  boolean(key: string, otherwise: boolean): boolean {
    const value = this.get(key);
    if (value === undefined) return otherwise;
    if (typeof value === 'boolean') return value;
    this.refuse(key, 'invalid_type', texts.mustBeBoolean);
    return otherwise;
  }

  /** Required if `otherwise` is undefined. */
  milliseconds(key: string, least: number, most: number, otherwise?: number): number {
    const value = this.get(key);
    if (value === undefined && otherwise !== undefined) return otherwise;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.refuse(key, 'invalid_duration', texts.mustBeNumberBetween('whole number of milliseconds', least, most));
    return otherwise ?? least;
  }

  oneOf<T extends string>(key: string, choices: readonly [T, ...T[]], otherwise?: T): T {
    const value = this.get(key);
    if (value === undefined && otherwise !== undefined) return otherwise;
    const found = choices.find(choice => choice === value);
    if (found === undefined) this.refuse(key, 'invalid_choice', texts.mustBeOneOf(choices));
    return found ?? otherwise ?? choices[0];
  }

  name(key: string): string {
    const value = this.get(key);
    if (typeof value === 'string' && value.length > 0 && value.length <= 64) return value;
    this.refuse(key, 'invalid_name', texts.mustHaveCharacters(1, 64));
    return '';
  }

  id<K extends IdKind>(kind: K, key: string): Id<K> | null {
    const parsed = parseId(kind, this.get(key), joinFieldPath(this.path, key));
    if (parsed.ok) return parsed.value;
    this.problems.addAll(parsed.problems);
    return null;
  }
}

/** Reads every entry of an untrusted list of at most `most` entries. Stops once the problem list is full. */
export const readUntrustedList = <T>(
  input: unknown,
  path: string,
  most: number,
  problems: ProblemList,
  readOne: (entry: unknown, path: string) => T,
): readonly T[] => {
  const read: T[] = [];
  if (!Array.isArray(input)) problems.add(path, 'invalid_type', texts.mustBeArray);
  else if (input.length > most) problems.add(path, 'too_many', texts.mustHaveEntries(null, most));
  else
    for (let index = 0; index < input.length && !problems.isFull; index++)
      read.push(readOne(input[index], joinFieldPath(path, index)));
  return read;
};
