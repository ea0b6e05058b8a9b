import type {
  TrialCandidate,
  HealthBaseline,
  ReleaseTrialResult,
  PendingRelease,
  UpdateSlots,
} from './update-slot-state.ts';

/* Without a schema library, because the launcher runs this at each start and loads nothing else. */

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

/** A folder name without path separators. */
const isName = (value: unknown): value is string => isText(value) && /^[0-9A-Za-z][0-9A-Za-z.+-]*$/.test(value);

const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

const parseHealth = (value: unknown): HealthBaseline | null => {
  const fields = fieldsOf(value);
  if (fields === null || typeof fields['online'] !== 'boolean' || !Array.isArray(fields['faults'])) return null;
  return { online: fields['online'], faults: fields['faults'].filter(isText) };
};

export const parsePendingRelease = (value: unknown): PendingRelease | null => {
  const fields = fieldsOf(value);
  const [id, release, version] = [fields?.['id'], fields?.['release'], fields?.['version']];
  if (!isText(id) || !isName(release) || !isText(version)) return null;
  return {
    id,
    release,
    version,
    rollout_id: textOrNull(fields?.['rollout_id']),
    before: parseHealth(fields?.['before']),
  };
};

const parseCandidate = (value: unknown): TrialCandidate | null => {
  const pending = parsePendingRelease(value);
  const attempts = fieldsOf(value)?.['attempts'];
  return pending === null || !Number.isSafeInteger(attempts) ? null : { ...pending, attempts: attempts as number };
};

const parseResult = (value: unknown): ReleaseTrialResult | null => {
  const pending = parsePendingRelease(value);
  const fields = fieldsOf(value);
  const result = fields?.['result'];
  if (pending === null || (result !== 'confirmed' && result !== 'rolled_back')) return null;
  const { before: _, ...release } = pending;
  return { ...release, result, reason: textOrNull(fields?.['reason']), is_logged: fields?.['is_logged'] === true };
};

/** Null when the confirmed version cannot be read. Other unreadable fields become empty. */
export const parseUpdateSlots = (value: unknown): UpdateSlots | null => {
  const fields = fieldsOf(value);
  if (fields === null || fields['v'] !== 1) return null;
  const good = fieldsOf(fields['good']);
  const [release, version] = [good?.['release'], good?.['version']];
  const isGoodKnown = isName(release) && isText(version);
  if (!isGoodKnown && fields['good'] !== null) return null;
  return {
    v: 1,
    good: isGoodKnown ? { release, version } : null,
    candidate: parseCandidate(fields['candidate']),
    last: parseResult(fields['last']),
    taken: textOrNull(fields['taken']),
    given_up: Array.isArray(fields['given_up']) ? fields['given_up'].filter(isName) : [],
  };
};
