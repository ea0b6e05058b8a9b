import { spawnSync } from 'node:child_process';

let interpreter: string | undefined;

/**
 * The interpreter that `python3` starts. With pyenv or asdf `python3` is a shell script that takes longer than most of the
 * programs here.
 */
export const python = (): string => {
  if (interpreter !== undefined) return interpreter;
  const { status, stdout } = spawnSync('python3', ['-I', '-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  });
  interpreter = status === 0 ? stdout.trim() : 'python3';
  return interpreter;
};
