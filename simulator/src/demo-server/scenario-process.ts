import { readScenarioFile } from '../scenario/file/scenario-file.ts';
import { type ScenarioPlayOptions, type ScenarioRunResult, playScenario } from '../scenario/play-scenario.ts';

/** Plays the scenario file in its first argument and sends the progress to the parent process. */
const send = (message: ScenarioRunResult): void => void process.send?.(message);

const play = async (file: string): Promise<void> => {
  const scenario = readScenarioFile(file);
  if (!scenario.ok) {
    const [first] = scenario.problems;
    return send({ outcome: 'failed', problem: `${first?.path ?? ''} ${first?.message ?? ''}`.trim(), steps: [] });
  }
  const onProgress: ScenarioPlayOptions['onProgress'] = steps => send({ outcome: 'running', problem: null, steps });
  send(await playScenario(scenario.value, { onProgress }));
};

// The parent process has ended.
const exit = (): void => process.exit(1);
process.once('disconnect', exit);
await play(process.argv[2] ?? '');
process.off('disconnect', exit);
process.disconnect();
