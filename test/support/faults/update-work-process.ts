import { type UpdateWork, updateWork } from './update-work.ts';

/* One part of an update as a process that can be killed. */

const [work, program, folder, archive] = process.argv.slice(2) as [UpdateWork, string, string, string];
await updateWork[work]({ program, folder, archive });
