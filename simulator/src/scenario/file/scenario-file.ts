import { readFileSync } from 'node:fs';
import { describeSystemError } from '@lintel/service/command-line/system-error';
import { failed, type Problem, problem, type Result } from '@lintel/access-core/result';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import { checkScenarioMembers } from './member-check.ts';
import { checkScenarioNames } from './name-check.ts';
import { type Scenario, scenarioSchema } from './scenario-schema.ts';
import { checkScenarioDoors } from './door-check.ts';

/** Removes the list index from the path when the file has a single value instead of a list. */
const asWritten = ({ path, code, message }: Problem, content: unknown): Problem => {
  const match = /^steps\.(\d+)\.(do|expect)\.0(?=\.|$)/.exec(path);
  if (match === null) return problem(path, code, message);
  const [prefix, index, key] = match;
  const { steps } = content as { readonly steps: readonly Readonly<Record<string, unknown>>[] };
  if (Array.isArray(steps[Number(index)]?.[key!])) return problem(path, code, message);
  const written = prefix.slice(0, -2);
  return problem(written + path.slice(prefix.length), code, message.replaceAll(`${prefix}.`, `${written}.`));
};

const findProblems = (parsed: Scenario): readonly Problem[] => {
  const problems: Problem[] = [];
  const report = (...args: Parameters<typeof problem>): void => void problems.push(problem(...args));
  checkScenarioNames(parsed, report);
  // The other checks require that all names are known.
  if (problems.length > 0) return problems;
  checkScenarioDoors(parsed, report);
  checkScenarioMembers(parsed, report);
  return problems;
};

export const parseScenario = (content: unknown): Result<Scenario> => {
  const parsed = parseWithSchema(scenarioSchema, content);
  const problems = parsed.ok ? findProblems(parsed.value) : parsed.problems;
  return problems.length === 0 ? parsed : failed(problems.map(found => asWritten(found, content)));
};

export const readScenario = (file: string): Result<Scenario> => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return failed([problem('', 'unreadable', describeSystemError(error, file))]);
  }
  return parseScenario(content);
};
