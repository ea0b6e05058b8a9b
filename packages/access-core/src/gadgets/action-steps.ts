import { FieldReader, readUntrustedList } from '../untrusted-field-reader.ts';
import { ProblemList } from '../problem-list.ts';
import type { Result } from '../result.ts';

/** One step of a gadget's action in a hardware profile. `wait` delays the next step, `pulse` does not. */
export type ActionStep =
  | { readonly step: 'on'; readonly output: string }
  | { readonly step: 'off'; readonly output: string }
  | { readonly step: 'pulse'; readonly output: string; readonly ms: number }
  | { readonly step: 'wait'; readonly ms: number };

/** Outputs that are never on together, and how long the others must be off before one is switched on. */
export interface OutputInterlock {
  readonly outputs: readonly string[];
  readonly dead_ms: number;
}

const MOST_STEPS = 64;
const MOST_INTERLOCKS = 32;
const LONGEST_MS = 3_600_000;
const LONGEST_DEAD_MS = 60_000;

/** Upper limit for the duration of a list of steps, including interlock dead times. */
export const MAX_ACTION_STEPS_MS = MOST_STEPS * (LONGEST_MS + LONGEST_DEAD_MS);

type Outputs = ReadonlySet<string> | undefined;

const outputName = (fields: FieldReader, outputs: Outputs): string => {
  const output = fields.name('output');
  if (output !== '' && outputs !== undefined && !outputs.has(output))
    fields.refuse('output', 'unknown_output', `${JSON.stringify(output)} is not an output of this gadget`);
  return output;
};

const fieldsOfStep = { on: ['output'], off: ['output'], pulse: ['output', 'ms'], wait: ['ms'] } as const;

const parseStep = (input: unknown, path: string, outputs: Outputs, problems: ProblemList): ActionStep => {
  const fields = new FieldReader(input, path, ['step', 'output', 'ms'], problems);
  const step = fields.oneOf('step', ['on', 'off', 'pulse', 'wait']);
  const own: readonly string[] = fieldsOfStep[step];
  for (const key of ['output', 'ms'])
    if (!own.includes(key) && fields.get(key) !== undefined)
      fields.refuse(key, 'unknown_field', `is not a field of the step ${step}`);
  if (step === 'wait') return { step, ms: fields.milliseconds('ms', 1, LONGEST_MS) };
  const output = outputName(fields, outputs);
  return step === 'pulse' ? { step, output, ms: fields.milliseconds('ms', 1, LONGEST_MS) } : { step, output };
};

/** `outputs` are the outputs of the gadget; without them any name is accepted. */
export const parseActionSteps = (input: unknown, path = '', outputs?: Outputs): Result<readonly ActionStep[]> => {
  const problems = new ProblemList();
  const steps = readUntrustedList(input, path, MOST_STEPS, problems, (one, at) =>
    parseStep(one, at, outputs, problems),
  );
  return problems.resultOf(steps);
};

const parseInterlock = (input: unknown, path: string, outputs: Outputs, problems: ProblemList): OutputInterlock => {
  const fields = new FieldReader(input, path, ['outputs', 'dead_ms'], problems);
  const dead_ms = fields.milliseconds('dead_ms', 0, LONGEST_DEAD_MS, 0);
  const names = fields.get('outputs');
  const known = (name: unknown): name is string =>
    typeof name === 'string' && name !== '' && (outputs === undefined || outputs.has(name));
  const valid = Array.isArray(names) && names.length >= 2 && names.length <= MOST_INTERLOCKS && names.every(known);
  if (!valid) fields.refuse('outputs', 'invalid_outputs', 'must be a list of two or more outputs of this gadget');
  else if (new Set(names).size < names.length)
    fields.refuse('outputs', 'invalid_outputs', 'must not name an output twice');
  return { outputs: valid ? names : [], dead_ms };
};

export const parseOutputInterlocks = (
  input: unknown,
  path = '',
  outputs?: Outputs,
): Result<readonly OutputInterlock[]> => {
  const problems = new ProblemList();
  const read = (one: unknown, at: string): OutputInterlock => parseInterlock(one, at, outputs, problems);
  const interlocks = readUntrustedList(input, path, MOST_INTERLOCKS, problems, read);
  return problems.resultOf(interlocks);
};
