import type * as z from 'zod';
import type { PlaceInProfile } from './bus-parts.ts';
import { type ProfileFields, profileFields } from './profile-fields.ts';

/** What is left of a profile without its broken places, so that the rest can be looked at all the same. */
export interface Salvaged {
  readonly profile: ProfileFields;
  /** Where the file has it: what was taken out of a list does not move the others. */
  placeInFile(at: PlaceInProfile): PlaceInProfile;
  /** A complaint at this place may come from nothing but what was taken out. */
  isDoubtful(at: PlaceInProfile): boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** No check across the profile says anything about these. */
const harmless: Fields = {
  product_id: 'salvaged',
  name: 'salvaged',
  revision: 'salvaged',
  capabilities: {
    gadgets: 'multiple',
    gadget_max_count: 64,
    script: false,
    internet: false,
    ethernet: false,
    wifi: false,
    cellular: false,
    pin: false,
    nfc: false,
    input_rules: false,
    mains: true,
    battery: false,
    battery_rechargeable: false,
    audio: false,
  },
};

/** Of these a broken one is left out; any other list goes as a whole. */
const LISTS_OF_PIECES = ['gadgets', 'interlocks'];
const MOST_ROUNDS = 30;
const DEEPEST_NAME = 8;

const isTree = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const valueAt = (tree: unknown, at: PlaceInProfile): unknown =>
  at.reduce<unknown>(
    (value, key) => (isTree(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined),
    tree,
  );

const isPiece = (at: PlaceInProfile): boolean => at.length === 2 && LISTS_OF_PIECES.includes(String(at[0]));

/** In a list of pieces it leaves a hole. */
const without = (tree: unknown, [key, ...rest]: PlaceInProfile): unknown => {
  if (!isTree(tree) || key === undefined) return tree;
  if (Array.isArray(tree))
    return tree.map((one, index) => (index === key ? (rest.length === 0 ? undefined : without(one, rest)) : one));
  const kept = Object.entries(tree).filter(([name]) => name !== key || rest.length > 0);
  return Object.fromEntries(kept.map(([name, one]) => [name, name === key ? without(one, rest) : one]));
};

const withoutHoles = (tree: Fields): Fields =>
  Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      LISTS_OF_PIECES.includes(name) && Array.isArray(value) ? value.filter(one => one !== undefined) : value,
    ]),
  );

const placeBeforeHoles = (tree: Fields, at: PlaceInProfile): PlaceInProfile => {
  const [list, index, ...rest] = at;
  const pieces = tree[String(list)];
  if (typeof index !== 'number' || !LISTS_OF_PIECES.includes(String(list)) || !Array.isArray(pieces)) return at;
  const kept = [...pieces.keys()].filter(one => pieces[one] !== undefined);
  return [list!, kept[index] ?? index, ...rest];
};

/** The value itself, or where it is missing, what it is missing from. */
const nearestThere = (tree: Fields, at: PlaceInProfile): PlaceInProfile =>
  at.length > 1 && valueAt(tree, at) === undefined ? nearestThere(tree, at.slice(0, -1)) : at;

/** What can be taken out without moving its neighbours. */
const removable = (at: PlaceInProfile): PlaceInProfile =>
  at.length > 1 && typeof at.at(-1) === 'number' && !isPiece(at) ? removable(at.slice(0, -1)) : at;

const wordsIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (!isTree(value) || depth > DEEPEST_NAME) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...wordsIn(one, depth + 1)]);
};

const brokenPlaces = (issue: z.core.$ZodIssue): readonly PlaceInProfile[] => {
  const at = issue.path.map(key => (typeof key === 'number' ? key : String(key)));
  return issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...at, key]) : [at];
};

interface Loss {
  readonly places: PlaceInProfile[];
  /** Names that may have been in what was taken out. */
  readonly names: Set<string>;
  /** Something else stands where names belong: any may have been meant. */
  isOfAnyName: boolean;
}

const HOLDERS_OF_NAMES = ['buses', 'stations', 'gadgets', 'outputs', 'inputs', 'readers', 'keypads'];

const holdsNames = (at: PlaceInProfile): boolean =>
  HOLDERS_OF_NAMES.includes(String(at.at(-1))) || HOLDERS_OF_NAMES.includes(String(at.at(-2)));

/** Null where the profile as such is broken. */
const takenOut = (tree: Fields, at: PlaceInProfile, loss: Loss): Fields | null => {
  const broken = nearestThere(tree, at);
  const part = removable(broken);
  const [field] = part;
  if (field === undefined) return null;
  for (const word of [...part.map(String), ...wordsIn(valueAt(tree, part))]) loss.names.add(word);
  loss.isOfAnyName ||= holdsNames(broken) && !isTree(valueAt(tree, broken));
  loss.places.push(part);
  const rest = without(tree, part) as Fields;
  return part.length === 1 && Object.hasOwn(harmless, field) ? { ...rest, [field]: harmless[String(field)] } : rest;
};

/** Complaints about a field that also go by other ones. */
const goesBy: Readonly<Record<string, readonly string[]>> = {
  capabilities: ['capabilities', 'stations'],
  gadgets: ['capabilities', 'gadgets'],
  other_gadgets: ['buses', 'other_gadgets'],
  times: ['times'],
};

/** A port or a device that is described by less than the file says may be any. */
const VAGUE_FIELDS = ['port', 'device'];

const doubts =
  (profile: ProfileFields, { places, names, isOfAnyName }: Loss): Salvaged['isDoubtful'] =>
  at => {
    const name = valueAt(profile, at);
    if (typeof name === 'string' && (isOfAnyName || names.has(name))) return true;
    const [field = '', , part = ''] = at.map(String);
    if (VAGUE_FIELDS.includes(part) && places.some(place => place[2] === part)) return true;
    if (field === 'gadgets' && at.length > 1) return false;
    return places.some(([lost]) => (goesBy[field] ?? []).includes(String(lost)));
  };

/** Takes out what is broken until the rest is a profile; null when nothing sensible is left. */
export const salvage = (value: unknown): Salvaged | null => {
  if (!isTree(value) || Array.isArray(value)) return null;
  const loss: Loss = { places: [], names: new Set(), isOfAnyName: false };
  let tree: Fields = value;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = profileFields.safeParse(withoutHoles(tree));
    const file = tree;
    if (parsed.success)
      return {
        profile: parsed.data,
        placeInFile: at => placeBeforeHoles(file, at),
        isDoubtful: doubts(parsed.data, loss),
      };
    for (const at of parsed.error.issues.flatMap(brokenPlaces)) {
      const rest = takenOut(tree, placeBeforeHoles(file, at), loss);
      if (rest === null) return null;
      tree = rest;
    }
  }
  return null;
};
