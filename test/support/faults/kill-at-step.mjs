import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* Preloaded: ends the process, without a word, before the Nth thing that it does to the disk below a folder. */

const [at, below] = [Number(process.env.LINTEL_KILL_AT), process.env.LINTEL_KILL_BELOW];
let count = 0;

const step = (...paths) => {
  if (!paths.some(path => typeof path === 'string' && path.startsWith(below))) return;
  count += 1;
  if (count === at) process.kill(process.pid, 'SIGKILL');
};
/** Files that are open below the folder. */
const opened = new Map();

const wrap = (object, name, pathsOf, after = (result, _args) => result) => {
  const plain = object[name];
  object[name] = function (...args) {
    step(...pathsOf(args, this));
    return after(plain.apply(this, args), args);
  };
};

const first = ([path]) => [path];
const both = ([from, to]) => [from, to];
for (const name of ['mkdirSync', 'rmSync']) wrap(fs, name, first);
for (const name of ['renameSync', 'symlinkSync']) wrap(fs, name, both);
const note = (descriptor, [path]) => {
  opened.set(descriptor, path);
  return descriptor;
};
wrap(fs, 'openSync', first, note);
for (const name of ['writeSync', 'writeFileSync', 'fsyncSync']) wrap(fs, name, ([file]) => [opened.get(file) ?? file]);

for (const name of ['mkdir', 'rm']) wrap(fs.promises, name, first);
wrap(fs.promises, 'rename', both);
const watchHandle = path => handle => {
  for (const name of ['write', 'sync']) wrap(handle, name, () => [path]);
  return handle;
};
wrap(fs.promises, 'open', first, (handle, [path]) => handle.then(watchHandle(path)));

syncBuiltinESMExports();
