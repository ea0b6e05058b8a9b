import * as z from 'zod';
import { stepSchema } from '../steps/step-schema.ts';
import { worldSchema } from '../world-schema.ts';

export const scenarioSchema = z.strictObject({
  title: z.string().min(1).max(120),
  about: z.string().max(500).default(''),
  world: worldSchema,
  steps: z.array(stepSchema).min(1).max(500),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** `path` is the position of the problem in the file. */
export type ReportScenarioProblem = (path: string, code: string, message: string) => void;
