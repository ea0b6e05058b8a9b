import { mustBeArray, mustBeObject, mustHaveCharacters } from '@lintel/access-core/problem-texts';
import { failed, ok, type Problem, createProblem, type Result } from '@lintel/access-core/result';

/** One declared object: its key, its path in the file and its fields. */
export interface SeedEntry {
  readonly key: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** In the order of creation: later lists refer to earlier ones. */
export const seedListNames = [
  'users',
  'applications',
  'card_stock',
  'tags',
  'sites',
  'devices',
  'gadgets',
  'schedules',
  'member_groups',
  'members',
  'gadget_triggers',
] as const;
export type SeedListName = (typeof seedListNames)[number];

export interface SeedFile {
  readonly organization: SeedEntry;
  readonly lists: Readonly<Record<SeedListName, readonly SeedEntry[]>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_KEY_LENGTH = 200;

const parseEntry = (value: unknown, path: string, problems: Problem[]): SeedEntry[] => {
  if (!isObject(value)) {
    problems.push(createProblem(path, 'invalid_type', mustBeObject));
    return [];
  }
  const { key, ...fields } = value;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    problems.push(createProblem(`${path}.key`, 'required', mustHaveCharacters(1, MAX_KEY_LENGTH)));
    return [];
  }
  return [{ key, path, fields }];
};

const parseList = (content: Record<string, unknown>, name: SeedListName, problems: Problem[]): SeedEntry[] => {
  const listed = content[name] ?? [];
  if (Array.isArray(listed)) return listed.flatMap((value, index) => parseEntry(value, `${name}.${index}`, problems));
  problems.push(createProblem(name, 'invalid_type', mustBeArray));
  return [];
};

const findRepeatedKeys = (entries: readonly SeedEntry[]): Problem[] => {
  const first = new Map<string, string>();
  return entries.flatMap(({ key, path }) => {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, path);
    return earlier === undefined
      ? []
      : [createProblem(`${path}.key`, 'repeated_key', `"${key}" is already the key of ${earlier}`)];
  });
};

/** Checks the structure of a seed file. The fields of each object are checked when it is created. */
export const parseSeedFile = (content: unknown): Result<SeedFile> => {
  if (!isObject(content)) return failed([createProblem('', 'invalid_type', mustBeObject)]);
  const problems: Problem[] = [];
  for (const name of Object.keys(content)) {
    if (name !== 'organization' && !(seedListNames as readonly string[]).includes(name)) {
      problems.push(createProblem(name, 'unknown_field', `is unknown. Use organization, ${seedListNames.join(', ')}`));
    }
  }
  const [organization] = parseEntry(content['organization'], 'organization', problems);
  const lists = Object.fromEntries(seedListNames.map(name => [name, parseList(content, name, problems)])) as Record<
    SeedListName,
    SeedEntry[]
  >;
  problems.push(...findRepeatedKeys([organization ?? [], ...Object.values(lists)].flat()));
  return organization === undefined || problems.length > 0 ? failed(problems) : ok({ organization, lists });
};
