/*
 * A second, independent implementation. It has no phases: it interprets the text typed since idle again for each key, and
 * computes every lockout from the list of all wrong entries.
 */

export interface ReferenceKeypadSetup {
  readonly codes: readonly string[];
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** `what` is a key, `tap`, `refused` for a denial elsewhere, or `granted` for a card or another controller that opened. */
export interface TimedKeypadInput {
  readonly at: number;
  readonly what: string;
}

const lockouts = (wrongEntries: readonly number[]): { from: number; seconds: number }[] => {
  const locks: { from: number; seconds: number }[] = [];
  let count = 0;
  let seconds = 30;
  let quietSince = 0;
  for (const at of wrongEntries) {
    while (count > 0 && at >= quietSince + 900_000) {
      quietSince += 900_000;
      seconds /= 2;
      if (seconds < 30) [count, seconds] = [0, 30];
    }
    count += 1;
    quietSince = at;
    if (count >= 5) {
      locks.push({ from: at, seconds });
      quietSince = at + seconds * 1_000;
      seconds = Math.min(900, seconds * 2);
    }
  }
  return locks;
};

const read = ({ codes }: ReferenceKeypadSetup, typed: string): { rule?: string; pin: string; half: boolean } => {
  const rule = codes.find(code => code !== '' && typed.startsWith(code));
  if (rule !== undefined) return { rule, pin: typed.slice(rule.length), half: false };
  if (typed !== '' && codes.some(code => code.startsWith(typed))) return { pin: '', half: true };
  const hasDefault = codes.length === 0 || codes.includes('');
  const first = typed.charAt(0);
  if (hasDefault && /[0-9]/.test(first) && !codes.some(code => code.startsWith(first))) {
    return { rule: '', pin: typed, half: false };
  }
  return { pin: '', half: false };
};

export const simulateReferenceKeyEntry = (
  world: ReferenceKeypadSetup,
  history: readonly TimedKeypadInput[],
): { log: string[]; lockedUntil: number } => {
  const log: string[] = [];
  const wrong: number[] = [];
  let typed = '';
  let keyAt = 0;
  let pinAt = Number.NEGATIVE_INFINITY;
  const known = [...world.granted, ...world.refused].filter(pin => pin.length >= 4);
  const lockedUntil = (): number => Math.max(0, ...lockouts(wrong).map(lock => lock.from + lock.seconds * 1_000));
  const countWrong = (at: number): void => {
    const before = lockouts(wrong).length;
    wrong.push(at);
    const locks = lockouts(wrong);
    if (locks.length === before) return;
    typed = '';
    log.push(`locked ${(locks.at(-1)?.seconds ?? 0) * 1_000}`);
  };
  const stop = (at: number, ...entries: string[]): void => {
    const { pin } = read(world, typed);
    log.push(...entries);
    typed = '';
    pinAt = Number.NEGATIVE_INFINITY;
    if (pin.length >= 4) countWrong(at);
  };
  const present = (at: number): void => {
    const { rule, pin } = read(world, typed);
    const line = `pin ${rule}: ${pin}`;
    if (world.granted.includes(pin)) {
      log.push(line);
      typed = '';
    } else stop(at, line);
    pinAt = at;
  };
  const press = (key: string, at: number): void => {
    if (at < lockedUntil()) return void log.push('locked_out');
    if (key === '#' && typed === '' && at <= pinAt + 2_000) return;
    const before = read(world, typed);
    const isArmed = before.rule !== undefined;
    if (isArmed && key === '#' && before.pin.length >= 4) return present(at);
    if (isArmed && (key === '#' || key === '*')) return stop(at, 'cleared');
    typed += key;
    keyAt = at;
    pinAt = Number.NEGATIVE_INFINITY;
    const { rule, pin, half } = read(world, typed);
    if (rule === undefined && !half) return stop(at, 'dropped');
    const isFinal = known.includes(pin) && !known.some(other => other.length > pin.length && other.startsWith(pin));
    if (pin.length === 20 || isFinal) return present(at);
    log.push(rule !== undefined && pin === '' ? 'rule_armed' : 'key_taken');
  };
  const beSilent = (until: number): void => {
    if (typed === '') return;
    if (until >= keyAt + 3_000 && known.includes(read(world, typed).pin)) return present(keyAt + 3_000);
    if (until >= keyAt + 10_000) stop(keyAt + 10_000, 'forgotten');
  };
  for (const { at, what } of history) {
    beSilent(at);
    if (what === 'refused') countWrong(at);
    else if (what === 'granted') pinAt = at;
    else if (what === 'tap') {
      const { rule } = typed === '' && world.codes.length === 0 ? { rule: '' } : read(world, typed);
      const target = typed === '' && world.codes.includes('') ? '' : rule;
      stop(at, target === undefined ? 'no rule' : `card ${target}`);
    } else press(what, at);
  }
  return { log, lockedUntil: lockedUntil() };
};
