import { readFileSync } from 'node:fs';
import { failed, type Problem, problem, type Result } from '@lintel/access-core/result';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import { unknownNames } from './name-check.ts';
import { type Scenario, scenario } from './scenario-schema.ts';

/** A single thing may stand without a list around it, and then the path has no place in a list either. */
const asWritten = ({ path, ...rest }: Problem, content: unknown): Problem => {
  const match = /^steps\.(\d+)\.(do|expect)\.0(?=\.|$)/.exec(path);
  if (match === null) return { path, ...rest };
  const [prefix, index, key] = match;
  const { steps } = content as { readonly steps: readonly Readonly<Record<string, unknown>>[] };
  const isList = Array.isArray(steps[Number(index)]?.[key!]);
  return { path: isList ? path : prefix.slice(0, -2) + path.slice(prefix.length), ...rest };
};

export const parseScenario = (content: unknown): Result<Scenario> => {
  const parsed = parseWith(scenario, content);
  const problems = parsed.ok ? unknownNames(parsed.value) : parsed.problems;
  return problems.length === 0 ? parsed : failed(problems.map(one => asWritten(one, content)));
};

export const readScenario = (file: string): Result<Scenario> => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return failed([problem('', 'unreadable', (error as Error).message)]);
  }
  return parseScenario(content);
};
