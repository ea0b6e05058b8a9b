import { failed, ok, type Problem, problem, type Result } from '@lintel/access-core/result';

/** One declared object: its key, and what it says of itself. */
export interface SeedEntry {
  readonly key: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** In the order in which they are made: what comes later refers to what came before. */
export const seedLists = [
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
export type SeedList = (typeof seedLists)[number];

export interface SeedFile {
  readonly organization: SeedEntry;
  readonly lists: Readonly<Record<SeedList, readonly SeedEntry[]>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST_CHARACTERS = 200;

const entryOf = (value: unknown, path: string, problems: Problem[]): SeedEntry[] => {
  if (!isObject(value)) {
    problems.push(problem(path, 'invalid_type', 'must be an object'));
    return [];
  }
  const { key, ...fields } = value;
  if (typeof key !== 'string' || key === '' || key.length > MOST_CHARACTERS) {
    problems.push(problem(`${path}.key`, 'required', 'must be the text by which the file refers to it'));
    return [];
  }
  return [{ key, path, fields }];
};

const listOf = (content: Record<string, unknown>, name: SeedList, problems: Problem[]): SeedEntry[] => {
  const listed = content[name] ?? [];
  if (Array.isArray(listed)) return listed.flatMap((value, index) => entryOf(value, `${name}.${index}`, problems));
  problems.push(problem(name, 'invalid_type', 'must be a list'));
  return [];
};

const repeatedKeys = (entries: readonly SeedEntry[]): Problem[] => {
  const first = new Map<string, string>();
  return entries.flatMap(({ key, path }) => {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, path);
    return earlier === undefined
      ? []
      : [problem(`${path}.key`, 'repeated_key', `"${key}" is the key of ${earlier} too`)];
  });
};

/** The outline of a seed file: known lists of keyed objects. Each object's own fields are judged where it is made. */
export const parseSeedFile = (content: unknown): Result<SeedFile> => {
  if (!isObject(content)) return failed([problem('', 'invalid_type', 'a seed file holds an object')]);
  const problems: Problem[] = [];
  for (const name of Object.keys(content)) {
    if (name !== 'organization' && !(seedLists as readonly string[]).includes(name)) {
      problems.push(problem(name, 'unknown_field', `is not known; there are organization, ${seedLists.join(', ')}`));
    }
  }
  const [organization] = entryOf(content['organization'], 'organization', problems);
  const lists = Object.fromEntries(seedLists.map(name => [name, listOf(content, name, problems)])) as Record<
    SeedList,
    SeedEntry[]
  >;
  problems.push(...repeatedKeys([organization ?? [], ...Object.values(lists)].flat()));
  return organization === undefined || problems.length > 0 ? failed(problems) : ok({ organization, lists });
};
