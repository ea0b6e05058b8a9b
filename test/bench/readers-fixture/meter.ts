import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('meter.py', import.meta.url));

/** Both far ends and the watch are in a process of their own, so that what is measured does not wait for the measuring. */
export const startMeter = async () => {
  const meter = spawn('python3', ['-I', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(meter.stdout);
  const answer = async (): Promise<unknown> => JSON.parse(((await once(lines, 'line')) as [string])[0]);
  const [reader, relay] = (await answer()) as [string, string];
  return {
    reader,
    relay,
    times: async (frames: readonly Buffer[]): Promise<readonly number[]> => {
      meter.stdin.write(`${frames.map(frame => frame.toString('hex')).join(' ')}\n`);
      const times = (await answer()) as (number | null)[];
      if (times.includes(null)) throw new Error('the relay did not move');
      return times.filter(time => time !== null);
    },
    stop: async (): Promise<void> => {
      meter.stdin.end();
      await once(meter, 'exit');
    },
  };
};
