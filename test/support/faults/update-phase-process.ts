import { type UpdatePhase, updatePhases } from './update-phases.ts';

/* Runs one phase of an update in a process that can be killed. */

const [phase, program, folder, archive] = process.argv.slice(2) as [UpdatePhase, string, string, string];
await updatePhases[phase]({ program, folder, archive });
