import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Operation = (...args: readonly unknown[]) => unknown;
type Paths = (args: readonly unknown[]) => readonly unknown[];

const firstArgument: Paths = args => args.slice(0, 1);
const firstTwoArguments: Paths = args => args.slice(0, 2);

/** Replaces an operation. Returns a function that restores it. */
const replace = (object: object, name: string, replacementOf: (plain: Operation) => Operation): (() => void) => {
  const operations = object as Record<string, Operation>;
  const plain = operations[name]!;
  operations[name] = replacementOf(plain.bind(object));
  return () => {
    operations[name] = plain;
  };
};

/**
 * Calls `before` before each create, open, write, flush, rename or remove of this process below a directory. `before` may
 * throw or end the process. Returns a function that stops watching.
 */
export const watchDiskSteps = (below: string, before: () => void): (() => void) => {
  const step = (paths: readonly unknown[]): void => {
    if (paths.some(path => typeof path === 'string' && path.startsWith(below))) before();
  };
  const openFiles = new Map<unknown, unknown>();
  const pathOfFile: Paths = ([file]) => [openFiles.get(file) ?? file];
  const undo: Array<() => void> = [];
  const watch = (name: string, paths: Paths): void => {
    const watched = (plain: Operation): Operation => {
      return (...args) => {
        step(paths(args));
        return plain(...args);
      };
    };
    undo.push(replace(fs, name, watched));
  };
  const watchPromise = (object: object, name: string, paths: Paths): void => {
    const watched = (plain: Operation): Operation => {
      return async (...args) => {
        step(paths(args));
        return plain(...args);
      };
    };
    undo.push(replace(object, name, watched));
  };
  for (const name of ['mkdirSync', 'rmSync', 'openSync']) watch(name, firstArgument);
  for (const name of ['renameSync', 'symlinkSync']) watch(name, firstTwoArguments);
  for (const name of ['writeSync', 'writeFileSync', 'fsyncSync']) watch(name, pathOfFile);
  for (const name of ['mkdir', 'rm', 'open']) watchPromise(fs.promises, name, firstArgument);
  watchPromise(fs.promises, 'rename', firstTwoArguments);
  const remember = (open: Operation): Operation => {
    return (...args) => {
      const file = open(...args);
      openFiles.set(file, args[0]);
      return file;
    };
  };
  const watchHandle = (open: Operation): Operation => {
    return async (...args) => {
      const handle = (await open(...args)) as object;
      for (const name of ['write', 'sync']) watchPromise(handle, name, () => args.slice(0, 1));
      return handle;
    };
  };
  undo.push(replace(fs, 'openSync', remember), replace(fs.promises, 'open', watchHandle));
  syncBuiltinESMExports();
  return () => {
    for (const restore of undo.splice(0).toReversed()) restore();
    syncBuiltinESMExports();
  };
};

/**
 * Runs `work` up to its Nth disk step below a directory. That step and all later ones, including cleanup, fail, so that the
 * files are those of a process that was killed there. Resolves with false when `work` has fewer steps.
 */
export const cutAtDiskStep = async (at: number, below: string, work: () => unknown): Promise<boolean> => {
  let steps = 0;
  const stopWatching = watchDiskSteps(below, () => {
    steps += 1;
    if (steps >= at) throw new Error(`Simulated power cut before step ${at}`);
  });
  try {
    await work();
  } catch (error) {
    if (steps < at) throw error;
  } finally {
    stopWatching();
  }
  return steps >= at;
};
