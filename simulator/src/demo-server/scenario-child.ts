import { playScenario } from '../scenario/play.ts';
import { readScenario } from '../scenario/scenario-file.ts';
import type { PlayedMessage } from './play-beside.ts';

/** Plays the scenario that its one argument names, and says over its channel how it goes. */
const say = (message: PlayedMessage): void => void process.send?.(message);

const play = async (file: string): Promise<void> => {
  const scenario = readScenario(file);
  if (!scenario.ok) {
    const [first] = scenario.problems;
    return say({ outcome: 'failed', problem: `${first?.path ?? ''} ${first?.message ?? ''}`.trim(), steps: [] });
  }
  say(await playScenario(scenario.value, steps => say({ outcome: 'running', problem: null, steps })));
};

// Whoever asked has gone: nobody waits for the end.
const leave = (): void => process.exit(1);
process.once('disconnect', leave);
await play(process.argv[2] ?? '');
process.off('disconnect', leave);
process.disconnect();
