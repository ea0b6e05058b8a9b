import * as z from 'zod';
import { step } from '../steps/step-schema.ts';
import { world } from '../world-schema.ts';

export const scenario = z.strictObject({
  title: z.string().min(1).max(120),
  about: z.string().max(500).default(''),
  world,
  steps: z.array(step).min(1).max(500),
});
export type Scenario = z.infer<typeof scenario>;

/** `path` is the position of the problem in the file. */
export type ReportScenarioProblem = (path: string, code: string, message: string) => void;
