import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { readNodeRedAccessData } from './node-red-access-data.ts';

/* Node-RED without its editor, with the flow of a door. Runs until it is killed. */

interface NodeRed {
  init(settings: object): void;
  start(): Promise<void>;
  readonly events: {
    on(event: 'node-status', listener: (change: { id: string; status: { fill?: string } }) => void): void;
  };
}

/** The nodes of the flow that are connected when both ports are open. */
const SERIAL_NODES = ['reader-in', 'relay-out'];

const [reader, relay, installation, folder] = process.argv.slice(2) as [string, string, string, string];
// The flow uses these variables.
Object.assign(process.env, { READER: reader, RELAY: relay, EVENTS: join(folder, 'node-red-events.db') });
const nodeRed = createRequire(join(installation, 'package.json'))('node-red') as NodeRed;
const userDir = join(folder, 'node-red');
cpSync(join(import.meta.dirname, 'node-red-door-flow.json'), join(userDir, 'flows.json'));

nodeRed.init({
  userDir,
  flowFile: 'flows.json',
  credentialSecret: false,
  httpAdminRoot: false,
  httpNodeRoot: false,
  telemetry: { enabled: false },
  functionGlobalContext: { SqliteDatabase, ...readNodeRedAccessData(folder) },
  logging: {
    stderr: {
      level: 'error',
      handler: () => (entry: object) => void process.stderr.write(`${JSON.stringify(entry)}\n`),
    },
  },
});
const connected = new Set<string>();
nodeRed.events.on('node-status', ({ id, status }) => {
  if (status.fill !== 'green' || !SERIAL_NODES.includes(id)) return;
  connected.add(id);
  if (connected.size === SERIAL_NODES.length) process.stdout.write('ready\n');
});
await nodeRed.start();
