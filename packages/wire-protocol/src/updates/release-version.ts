import * as z from 'zod';

const RELEASE_VERSION_PATTERN =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z-]{1,32}(?:\.[0-9A-Za-z-]{1,32}){0,5}))?$/;

const isNumber = (part: string): boolean => /^\d+$/.test(part);

const comparePart = (a: string, b: string): number => {
  if (isNumber(a) && isNumber(b)) return Math.sign(Number(a) - Number(b));
  // Numbers sort before words.
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
};

const compareLists = (a: readonly string[], b: readonly string[]): number => {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const order = comparePart(left, right);
    if (order !== 0) return order;
  }
  return 0;
};

const partsOf = (version: string): { readonly numbers: readonly string[]; readonly before: string | null } => {
  const [, major = '0', minor = '0', patch = '0', before] = RELEASE_VERSION_PATTERN.exec(version) ?? [];
  return { numbers: [major, minor, patch], before: before ?? null };
};

/** Negative if `a` is older. A pre-release is older than its release. */
export const compareReleaseVersions = (a: string, b: string): number => {
  const [left, right] = [partsOf(a), partsOf(b)];
  const order = compareLists(left.numbers, right.numbers);
  if (order !== 0) return order;
  if (left.before === null || right.before === null) {
    if (left.before === right.before) return 0;
    return left.before === null ? 1 : -1;
  }
  return compareLists(left.before.split('.'), right.before.split('.'));
};

/** `1.4.0`, or a pre-release such as `1.5.0-rc.2`. */
export const releaseVersionSchema = z
  .string()
  .regex(RELEASE_VERSION_PATTERN, { error: 'must be a version such as 1.4.0 or 1.5.0-rc.2' });
