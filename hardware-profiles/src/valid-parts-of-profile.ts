import type * as z from 'zod';
import { minimalCapabilities } from './capabilities-schema.ts';
import type { ProfilePath } from '@lintel/drivers/definition';
import { type ProfileFields, profileFieldsSchema } from './profile-fields-schema.ts';

/** The valid parts of an invalid profile, so that they can be checked too. */
export interface ValidPartsOfProfile {
  readonly profile: ProfileFields;
  /** Converts a path to the original file, where removed list entries still count. */
  pathInFile(at: ProfilePath): ProfilePath;
  /** Whether a problem at this path may be caused only by a removed part. */
  mayBeCausedByRemoval(at: ProfilePath): boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Replacement values that no cross-check reports. */
const replacements: Fields = {
  product_id: 'partial',
  name: 'partial',
  revision: 'partial',
  capabilities: { ...minimalCapabilities, gadgets: 'multiple', gadget_max_count: 64 },
};

/** Lists from which single entries are removed. Any other list is removed as a whole. */
const LISTS_WITH_REMOVABLE_ENTRIES = ['gadgets', 'interlocks'];
const MAX_ROUNDS = 30;
const MAX_DEPTH = 8;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const valueAt = (tree: unknown, at: ProfilePath): unknown =>
  at.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined),
    tree,
  );

const isRemovableEntry = (at: ProfilePath): boolean =>
  at.length === 2 && LISTS_WITH_REMOVABLE_ENTRIES.includes(String(at[0]));

/** Removes a value. In a list with removable entries it leaves an empty slot. */
const without = (tree: unknown, [key, ...rest]: ProfilePath): unknown => {
  if (!isObject(tree) || key === undefined) return tree;
  if (Array.isArray(tree))
    return tree.map((one, index) => (index === key ? (rest.length === 0 ? undefined : without(one, rest)) : one));
  const kept = Object.entries(tree).filter(([name]) => name !== key || rest.length > 0);
  return Object.fromEntries(kept.map(([name, one]) => [name, name === key ? without(one, rest) : one]));
};

const withoutEmptySlots = (tree: Fields): Fields =>
  Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      LISTS_WITH_REMOVABLE_ENTRIES.includes(name) && Array.isArray(value)
        ? value.filter(one => one !== undefined)
        : value,
    ]),
  );

const pathBeforeRemoval = (tree: Fields, at: ProfilePath): ProfilePath => {
  const [list, index, ...rest] = at;
  const entries = tree[String(list)];
  if (typeof index !== 'number' || !LISTS_WITH_REMOVABLE_ENTRIES.includes(String(list)) || !Array.isArray(entries))
    return at;
  const kept = [...entries.keys()].filter(one => entries[one] !== undefined);
  return [list!, kept[index] ?? index, ...rest];
};

/** The path of the value, or of its nearest existing parent. */
const nearestExisting = (tree: Fields, at: ProfilePath): ProfilePath =>
  at.length > 1 && valueAt(tree, at) === undefined ? nearestExisting(tree, at.slice(0, -1)) : at;

/** The part to remove, so that the indexes of other entries stay the same. */
const removable = (at: ProfilePath): ProfilePath =>
  at.length > 1 && typeof at.at(-1) === 'number' && !isRemovableEntry(at) ? removable(at.slice(0, -1)) : at;

const stringsIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...stringsIn(one, depth + 1)]);
};

const invalidPaths = (issue: z.core.$ZodIssue): readonly ProfilePath[] => {
  const at = issue.path.map(key => (typeof key === 'number' ? key : String(key)));
  return issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...at, key]) : [at];
};

interface RemovedParts {
  readonly paths: ProfilePath[];
  /** Names in the removed parts. */
  readonly names: Set<string>;
  /** A removed part had an invalid type instead of names: it may have defined any name. */
  hasUnknownNames: boolean;
}

const FIELDS_WITH_NAMES = ['buses', 'stations', 'gadgets', 'outputs', 'inputs', 'readers', 'keypads'];

const holdsNames = (at: ProfilePath): boolean =>
  FIELDS_WITH_NAMES.includes(String(at.at(-1))) || FIELDS_WITH_NAMES.includes(String(at.at(-2)));

/** Removes the part at the path. Null when the whole profile is invalid. */
const removePart = (tree: Fields, at: ProfilePath, removed: RemovedParts): Fields | null => {
  const invalid = nearestExisting(tree, at);
  const part = removable(invalid);
  const [field] = part;
  if (field === undefined) return null;
  for (const text of [...part.map(String), ...stringsIn(valueAt(tree, part))]) removed.names.add(text);
  removed.hasUnknownNames ||= holdsNames(invalid) && !isObject(valueAt(tree, invalid));
  removed.paths.push(part);
  const rest = without(tree, part) as Fields;
  return part.length === 1 && Object.hasOwn(replacements, field)
    ? { ...rest, [field]: replacements[String(field)] }
    : rest;
};

/** Fields that the problems of a field depend on. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  capabilities: ['capabilities', 'stations'],
  gadgets: ['capabilities', 'gadgets'],
  other_gadgets: ['buses', 'other_gadgets'],
  times: ['times'],
};

/** With a removed part, these fields may match any port or device. */
const PATTERN_FIELDS = ['port', 'device'];

const removalCheck =
  (
    profile: ProfileFields,
    { paths, names, hasUnknownNames }: RemovedParts,
  ): ValidPartsOfProfile['mayBeCausedByRemoval'] =>
  at => {
    const name = valueAt(profile, at);
    if (typeof name === 'string' && (hasUnknownNames || names.has(name))) return true;
    const [field = '', , part = ''] = at.map(String);
    if (PATTERN_FIELDS.includes(part) && paths.some(path => path[2] === part)) return true;
    if (field === 'gadgets' && at.length > 1) return false;
    return paths.some(([root]) => (dependencies[field] ?? []).includes(String(root)));
  };

/** Removes invalid parts until the rest is a valid profile. Null when nothing usable remains. */
export const parsePartialProfile = (value: unknown): ValidPartsOfProfile | null => {
  if (!isObject(value) || Array.isArray(value)) return null;
  const removed: RemovedParts = { paths: [], names: new Set(), hasUnknownNames: false };
  let tree: Fields = value;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = profileFieldsSchema.safeParse(withoutEmptySlots(tree));
    const file = tree;
    if (parsed.success)
      return {
        profile: parsed.data,
        pathInFile: at => pathBeforeRemoval(file, at),
        mayBeCausedByRemoval: removalCheck(parsed.data, removed),
      };
    for (const at of parsed.error.issues.flatMap(invalidPaths)) {
      const rest = removePart(tree, pathBeforeRemoval(file, at), removed);
      if (rest === null) return null;
      tree = rest;
    }
  }
  return null;
};
