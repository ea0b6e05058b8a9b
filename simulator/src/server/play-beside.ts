import type { ScenarioRun } from '@lintel/wire-protocol/simulator/scenario-run';
import { runToEnd } from '../processes/part-process.ts';
import type { PlayFile } from './scenario-player.ts';

/** In a process of its own: a night that passes in milliseconds must not hold up the demonstration. */
export const playBeside =
  (logFile: string): PlayFile =>
  async (file, tell) => {
    const args = ['simulate', 'scenario', file, '--json'];
    const printed = await runToEnd({ name: 'The scenario', args, logFile });
    const { steps } = JSON.parse(printed) as Pick<ScenarioRun, 'steps'>;
    tell(steps);
    return { outcome: steps.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'failed', problem: null };
  };
