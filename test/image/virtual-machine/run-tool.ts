import { spawn } from 'node:child_process';

/** Runs a program to its end and returns its stdout. Throws with its output when it fails. */
export const runTool = (program: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [printed, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${program} ended with ${String(code)}: ${said}${printed.slice(-2000)}`));
    });
  });
