import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { commandOf, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';

const home = join(import.meta.dirname, '../..');

const usage = `npm start -- [OPTIONS]

The whole system on this machine: bridge, gateway, two simulated controllers, and a page to play with them.

  --fresh         starts over: bridge, gateway, front, corridor, logs, simulator.json and running.json are removed from
                  the data folder; whatever else lies there stays
  --data DIR      where everything is kept (default: .lintel)
  --page-port N   of the page (default 8090), --http-port N of the API (8080), --mqtt-port N of the broker (1883);
                  one that is taken is replaced by a free one, and so is 0
  --json          one line of JSON instead of words
`;

const options = {
  fresh: { type: 'boolean', default: false },
  data: { type: 'string', default: join(home, '.lintel') },
  'page-port': { type: 'string', default: '8090' },
  'http-port': { type: 'string', default: '8080' },
  'mqtt-port': { type: 'string', default: '1883' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const parse = (args: readonly string[]) => {
  const { values } = parseCall({ args, options });
  for (const name of ['page-port', 'http-port', 'mqtt-port'] as const) {
    if (!/^\d{1,5}$/.test(values[name]) || Number(values[name]) > 65_535)
      throw new UsageError(`--${name} must be a port`);
  }
  return values;
};

const LOOK_UP_MS = 1000;

/** Who has started us, and who has started that: npm puts a shell in between. */
const ancestors = (): string => {
  const parent = process.ppid;
  try {
    return `${parent} ${/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${parent}/status`, 'utf8'))?.[1]}`;
  } catch {
    return String(parent);
  }
};

const told = (): Promise<string> =>
  new Promise(tell => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tell('stopped'));
    if (process.env['npm_lifecycle_event'] === undefined) return;
    // npm may be killed, and then it passes nothing on.
    const atStart = ancestors();
    setInterval(() => ancestors() !== atStart && tell('stopped'), LOOK_UP_MS).unref();
  });

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const run = async (args: readonly string[]): Promise<number> => {
  const values = parse(args);
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const stopped = told();
  const dataDir = resolve(values.data);
  const { otherDemo } = await import('./demo/instance-lock.ts');
  const other = await otherDemo(dataDir);
  if (other !== null) {
    say(`The demonstration runs already: ${other}`);
    return 1;
  }
  const { DataFolderError } = await import('@lintel/service/data-folder/data-folder');
  const { takeDemoFolder } = await import('./demo/demo-folder.ts');
  try {
    takeDemoFolder(dataDir, values.fresh, say);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    say(error.message);
    return 1;
  }
  const shown = relative(process.cwd(), dataDir);
  // The sockets of the controllers are reached from here: their paths must be short.
  process.chdir(dataDir);
  const { serveDemo } = await import('./demo-server/serve-demo.ts');
  const ports = {
    page: Number(values['page-port']),
    http: Number(values['http-port']),
    mqtt: Number(values['mqtt-port']),
  };
  const note = values.json ? say : (line: string): void => void process.stdout.write(`${line}\n`);
  // Stopped while it starts: the parts end with this process.
  const served = await Promise.race([serveDemo({ dataDir, ports, say: note }), stopped.then(() => null)]);
  if (served === null) return 0;
  process.stdout.write(
    values.json ? `${JSON.stringify(served.addresses())}\n` : served.welcome(shown.startsWith('..') ? dataDir : shown),
  );
  const why = await Promise.race([stopped, served.broken]);
  if (why !== 'stopped') say(why);
  await served.stop();
  return why === 'stopped' ? 0 : 1;
};

const inWords = (error: unknown): string => `${(error as Error).message}\n\`npm start -- --fresh\` starts over.`;

enableCompileCache();
// The parts end with this process, also where they did not start.
process.exit(await commandOf(usage, run, inWords).run(process.argv.slice(2)));
