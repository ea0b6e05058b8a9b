import { readScenario } from '../scenario/file/scenario-file.ts';
import { type PlayedScenario, playScenario } from '../scenario/play.ts';

/** Plays the scenario file of its argument and sends the progress to its parent process. */
const send = (message: PlayedScenario): void => void process.send?.(message);

const play = async (file: string): Promise<void> => {
  const scenario = readScenario(file);
  if (!scenario.ok) {
    const [first] = scenario.problems;
    return send({ outcome: 'failed', problem: `${first?.path ?? ''} ${first?.message ?? ''}`.trim(), steps: [] });
  }
  send(await playScenario(scenario.value, steps => send({ outcome: 'running', problem: null, steps })));
};

// The parent has ended.
const leave = (): void => process.exit(1);
process.once('disconnect', leave);
await play(process.argv[2] ?? '');
process.off('disconnect', leave);
process.disconnect();
