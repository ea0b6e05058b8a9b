import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** A program of the system that a suite cannot do without, and how a person gets it. */
export interface SystemPart {
  readonly command: string;
  readonly install: string;
}

const isPresent = (part: SystemPart): boolean =>
  spawnSync('sh', ['-c', `command -v ${part.command}`], { stdio: 'ignore' }).status === 0;

/** Skips aloud where the part is missing; under CI, where everything is installed, a missing part is a failure. */
export const requirePart = (context: TestContext, part: SystemPart): void => {
  if (isPresent(part)) return;
  const missing = `${part.command} is not installed (${part.install})`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  context.skip(missing);
};
