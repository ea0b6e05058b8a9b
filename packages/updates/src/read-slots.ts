import type { Candidate, Health, Outcome, Pending, Slots } from './slot-machine.ts';

/* By hand instead of by schema: the launcher reads this at every start, and has nothing else to load. */

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

/** One folder's name, and no way out of the folder that it is in. */
const isName = (value: unknown): value is string => isText(value) && /^[0-9A-Za-z][0-9A-Za-z.+-]*$/.test(value);

const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

const healthOf = (value: unknown): Health | null => {
  const fields = fieldsOf(value);
  if (fields === null || typeof fields['online'] !== 'boolean' || !Array.isArray(fields['faults'])) return null;
  return { online: fields['online'], faults: fields['faults'].filter(isText) };
};

export const pendingOf = (value: unknown): Pending | null => {
  const fields = fieldsOf(value);
  const [id, release, version] = [fields?.['id'], fields?.['release'], fields?.['version']];
  if (!isText(id) || !isName(release) || !isText(version)) return null;
  return { id, release, version, rollout_id: textOrNull(fields?.['rollout_id']), before: healthOf(fields?.['before']) };
};

const candidateOf = (value: unknown): Candidate | null => {
  const pending = pendingOf(value);
  const attempts = fieldsOf(value)?.['attempts'];
  return pending === null || !Number.isSafeInteger(attempts) ? null : { ...pending, attempts: attempts as number };
};

const outcomeOf = (value: unknown): Outcome | null => {
  const pending = pendingOf(value);
  const fields = fieldsOf(value);
  const result = fields?.['result'];
  if (pending === null || (result !== 'confirmed' && result !== 'rolled_back')) return null;
  const { before: _, ...named } = pending;
  return { ...named, result, reason: textOrNull(fields?.['reason']), is_logged: fields?.['is_logged'] === true };
};

/** Null for what is no such state, or does not say what was confirmed. Of the rest whatever can be read. */
export const slotsOf = (value: unknown): Slots | null => {
  const fields = fieldsOf(value);
  if (fields === null || fields['v'] !== 1) return null;
  const good = fieldsOf(fields['good']);
  const [release, version] = [good?.['release'], good?.['version']];
  const isGoodKnown = isName(release) && isText(version);
  if (!isGoodKnown && fields['good'] !== null) return null;
  return {
    v: 1,
    good: isGoodKnown ? { release, version } : null,
    candidate: candidateOf(fields['candidate']),
    last: outcomeOf(fields['last']),
    taken: textOrNull(fields['taken']),
    given_up: Array.isArray(fields['given_up']) ? fields['given_up'].filter(isName) : [],
  };
};
