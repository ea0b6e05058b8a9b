import type { ProfileProblem } from './profile-schema.ts';

/** A list counts its values; an object has a name for the next one, and those that were said already. */
interface Level {
  readonly names: Set<string> | null;
  at: string | number | null;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * Names that a parser passes over in silence: of one that is written twice it keeps the last, and `__proto__` is no name of
 * its own. `text` is JSON.
 */
export const nameMisuses = (text: string): readonly ProfileProblem[] => {
  const problems: ProfileProblem[] = [];
  const levels: Level[] = [];
  const refuse = (message: string): void => {
    problems.push({ path: levels.map(({ at }) => at).join('.'), message });
  };
  const take = (token: string): void => {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), at: null });
    else if (token === '[') levels.push({ names: null, at: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && level !== undefined) level.at = typeof level.at === 'number' ? level.at + 1 : null;
    else if (level?.names != null && level.at === null) {
      const name = JSON.parse(token) as string;
      level.at = name;
      if (level.names.has(name)) refuse('is written twice');
      if (name === '__proto__') refuse('cannot be a name');
      level.names.add(name);
    }
  };
  for (const [token] of text.matchAll(TOKENS)) take(token);
  return problems;
};
