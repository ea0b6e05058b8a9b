import { readFileSync } from 'node:fs';
import { describeJsonFileError } from '@lintel/service/command-line/describe-system-error';
import { failed, type Problem, createProblem, type Result } from '@lintel/access-core/result';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import { reportScenarioMemberProblems } from './report-member-problems.ts';
import { reportUndefinedScenarioNames } from './report-undefined-names.ts';
import { type Scenario, scenarioSchema } from './scenario-schema.ts';
import { reportScenarioDoorProblems } from './report-door-problems.ts';

/** Removes the list index from the path when the file has a single value instead of a list. */
const asWritten = ({ path, code, message }: Problem, content: unknown): Problem => {
  const match = /^steps\.(\d+)\.(do|expect)\.0(?=\.|$)/.exec(path);
  if (match === null) return createProblem(path, code, message);
  const [prefix, index, key] = match;
  const { steps } = content as { readonly steps: readonly Readonly<Record<string, unknown>>[] };
  if (Array.isArray(steps[Number(index)]?.[key!])) return createProblem(path, code, message);
  const written = prefix.slice(0, -2);
  return createProblem(written + path.slice(prefix.length), code, message.replaceAll(`${prefix}.`, `${written}.`));
};

const findProblems = (parsed: Scenario): readonly Problem[] => {
  const problems: Problem[] = [];
  const report = (...args: Parameters<typeof createProblem>): void => void problems.push(createProblem(...args));
  reportUndefinedScenarioNames(parsed, report);
  // The other checks require that all names are known.
  if (problems.length > 0) return problems;
  reportScenarioDoorProblems(parsed, report);
  reportScenarioMemberProblems(parsed, report);
  return problems;
};

export const parseScenario = (content: unknown): Result<Scenario> => {
  const parsed = parseWithSchema(scenarioSchema, content);
  const problems = parsed.ok ? findProblems(parsed.value) : parsed.problems;
  return problems.length === 0 ? parsed : failed(problems.map(found => asWritten(found, content)));
};

export const readScenarioFile = (file: string): Result<Scenario> => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return failed([createProblem('', 'unreadable', describeJsonFileError(error, file))]);
  }
  return parseScenario(content);
};
