import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'vitest';

const python = process.env['PYTHON'] ?? 'python3';

export interface PythonPackage {
  readonly name: string;
  /** The modules that the counterpart imports. */
  readonly modules: string;
  readonly install: string;
}

/** Skips the test if the package is missing. Not Debian packages of a suitable version, so they are skipped in CI too. */
export const requirePythonPackage = (context: TestContext, { name, modules, install }: PythonPackage): void => {
  const isPresent = spawnSync(python, ['-c', `import ${modules}`], { stdio: 'ignore' }).status === 0;
  if (!isPresent) context.skip(`${name} is not installed (${install} in a venv, PYTHON=its python)`);
};

/** A Python program that prints and reads JSON documents, one per line. */
export const startPythonCounterpart = async <First, Message>(program: string, ...args: readonly string[]) => {
  const counterpart = spawn(python, ['-B', program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(counterpart.stdout);
  const [line] = (await once(lines, 'line')) as [string];
  const messages: Message[] = [];
  lines.on('line', text => messages.push(JSON.parse(text) as Message));
  return {
    first: JSON.parse(line) as First,
    /** Those after the first. */
    messages,
    send: (message: object) => void counterpart.stdin.write(`${JSON.stringify(message)}\n`),
    stop: async () => {
      counterpart.stdin.end();
      await once(counterpart, 'exit');
    },
  };
};
