import * as z from 'zod';
import { scenarioStepSchema } from '../steps/step-schema.ts';
import { scenarioWorldSchema } from '../world-schema.ts';

export const scenarioSchema = z.strictObject({
  title: z.string().min(1).max(120),
  about: z.string().max(500).default(''),
  world: scenarioWorldSchema,
  steps: z.array(scenarioStepSchema).min(1).max(500),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** `path` is the position of the problem in the file. */
export type ReportScenarioProblem = (path: string, code: string, message: string) => void;
