import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { createCliCommand, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { findBrowserOpener, openBrowser } from './demo/open-browser.ts';

const home = join(import.meta.dirname, '../..');

const usage = `npm start -- [OPTIONS]

Runs the whole system on this machine: bridge, gateway, two simulated controllers, and a web page to operate them.

  --fresh         start over: delete the demo's files in the data folder (bridge, gateway, front, corridor, logs,
                  simulator.json, running.json); other files stay
  --data DIR      data folder (default: .lintel)
  --page-port N   port of the simulator page (default: 8090)
  --http-port N   port of the bridge API (default: 8080)
  --mqtt-port N   port of the bridge's MQTT broker (default: 1883)
  --no-open       do not open the page in a browser (default: opened if there is a display)
  --json          print the addresses as one line of JSON
  -h, --help      show this help

A port that is in use is replaced by a free port. Port 0 selects any free port.
`;

const options = {
  fresh: { type: 'boolean', default: false },
  data: { type: 'string', default: join(home, '.lintel') },
  'page-port': { type: 'string', default: '8090' },
  'http-port': { type: 'string', default: '8080' },
  'mqtt-port': { type: 'string', default: '1883' },
  'no-open': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const parse = (args: readonly string[]) => {
  const { values } = parseCommandArguments({ args, options });
  for (const name of ['page-port', 'http-port', 'mqtt-port'] as const) {
    if (!/^\d{1,5}$/.test(values[name]) || Number(values[name]) > 65_535)
      throw new UsageError(`--${name} must be a port number from 0 to 65535`);
  }
  return values;
};

const PARENT_CHECK_MS = 1000;

/** The ids of the parent and grandparent process: npm starts a shell in between. */
const ancestors = (): string => {
  const parent = process.ppid;
  try {
    return `${parent} ${/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${parent}/status`, 'utf8'))?.[1]}`;
  } catch {
    return String(parent);
  }
};

const stopRequest = (): Promise<string> =>
  new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stopped'));
    if (process.env['npm_lifecycle_event'] === undefined) return;
    // A killed npm does not forward a signal.
    const atStart = ancestors();
    setInterval(() => ancestors() !== atStart && resolve('stopped'), PARENT_CHECK_MS).unref();
  });

const printError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const run = async (args: readonly string[]): Promise<number> => {
  const values = parse(args);
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const stopped = stopRequest();
  const dataDir = resolve(values.data);
  const { findRunningDemoAddress } = await import('./demo/instance-lock.ts');
  const runningDemo = await findRunningDemoAddress(dataDir);
  if (runningDemo !== null) {
    printError(`The demo is already running: ${runningDemo}`);
    return 1;
  }
  const { DataFolderError } = await import('@lintel/service/data-folder/data-folder');
  const { lockAndPrepareDemoFolder } = await import('./demo/prepare-demo-folder.ts');
  try {
    lockAndPrepareDemoFolder(dataDir, values.fresh, printError);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    printError(error.message);
    return 1;
  }
  const shownDir = relative(process.cwd(), dataDir);
  // Relative paths keep the socket paths of the controllers short.
  process.chdir(dataDir);
  const { serveDemo } = await import('./demo-server/serve-demo.ts');
  const ports = {
    page: Number(values['page-port']),
    http: Number(values['http-port']),
    mqtt: Number(values['mqtt-port']),
  };
  const print = values.json ? printError : (line: string): void => void process.stdout.write(`${line}\n`);
  // When stopped during startup, the other processes end with this process.
  const served = await Promise.race([serveDemo({ dataDir, ports, print }), stopped.then(() => null)]);
  if (served === null) return 0;
  process.stdout.write(
    values.json
      ? `${JSON.stringify(served.addresses())}\n`
      : served.welcome(shownDir.startsWith('..') ? dataDir : shownDir),
  );
  const isTerminal = process.stdout.isTTY && !values.json && !values['no-open'];
  const opener = findBrowserOpener({ platform: process.platform, environment: process.env, isTerminal });
  if (opener !== null) openBrowser(opener, served.pageUrl);
  const reason = await Promise.race([stopped, served.failure]);
  if (reason !== 'stopped') printError(reason);
  await served.stop();
  return reason === 'stopped' ? 0 : 1;
};

const describeError = (error: unknown): string =>
  `${(error as Error).message}\nTo start over with a new data folder: npm start -- --fresh`;

enableCompileCache();
// The other processes end with this process, also after a failed start.
process.exit(await createCliCommand(usage, run, describeError).run(process.argv.slice(2)));
