import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ScenarioRun } from '@lintel/wire-protocol/simulator/scenario-run';
import type { PlayFile } from './scenario-player.ts';

export type PlayedMessage = Pick<ScenarioRun, 'outcome' | 'problem' | 'steps'>;

const child = join(import.meta.dirname, 'scenario-child.ts');

/** In a process of its own: a night that passes in a moment must not hold up the demonstration. */
export const playBeside: PlayFile = async (file, tell) => {
  const playing = fork(child, [file], { stdio: 'ignore' });
  let last: PlayedMessage = { outcome: 'running', problem: null, steps: [] };
  playing.on('message', message => {
    last = message as PlayedMessage;
    tell(last.steps);
  });
  await once(playing, 'exit');
  const { outcome, problem } = last;
  return outcome === 'running' ? { outcome: 'failed', problem: 'the scenario broke off' } : { outcome, problem };
};
