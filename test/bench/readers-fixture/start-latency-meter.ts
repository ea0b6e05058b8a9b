import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('latency-meter.py', import.meta.url));

/** Starts the meter in a separate process, so that measuring does not delay the measured program. */
export const startLatencyMeter = async () => {
  const meter = spawn('python3', ['-I', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(meter.stdout);
  const readLine = async (): Promise<unknown> => JSON.parse(((await once(lines, 'line')) as [string])[0]);
  const [reader, relay] = (await readLine()) as [string, string];
  return {
    reader,
    relay,
    times: async (frames: readonly Buffer[]): Promise<readonly number[]> => {
      meter.stdin.write(`${frames.map(frame => frame.toString('hex')).join(' ')}\n`);
      const times = (await readLine()) as (number | null)[];
      if (times.includes(null)) throw new Error('The relay did not switch');
      return times.filter(time => time !== null);
    },
    stop: async (): Promise<void> => {
      meter.stdin.end();
      await once(meter, 'exit');
    },
  };
};
