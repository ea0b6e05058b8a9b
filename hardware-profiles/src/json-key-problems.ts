import type { ProfileProblem } from './check-profile.ts';

/** An open list or object. `at`: current index or key. `names`: keys seen so far, null for a list. */
interface Level {
  readonly names: Set<string> | null;
  at: string | number | null;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Finds keys that JSON.parse accepts silently: duplicate keys and `__proto__`. `text` must be valid JSON. */
export const findJsonKeyProblems = (text: string): readonly ProfileProblem[] => {
  const problems: ProfileProblem[] = [];
  const levels: Level[] = [];
  const report = (message: string): void => {
    problems.push({ path: levels.map(({ at }) => at).join('.'), message });
  };
  const handleToken = (token: string): void => {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), at: null });
    else if (token === '[') levels.push({ names: null, at: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && level !== undefined) level.at = typeof level.at === 'number' ? level.at + 1 : null;
    else if (level?.names != null && level.at === null) {
      const name = JSON.parse(token) as string;
      level.at = name;
      if (level.names.has(name)) report('is a duplicate key');
      if (name === '__proto__') report('is not allowed as a key');
      level.names.add(name);
    }
  };
  for (const [token] of text.matchAll(TOKENS)) handleToken(token);
  return problems;
};
