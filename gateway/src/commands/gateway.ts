import { readFileSync } from 'node:fs';
import { commandOf, type CommandStreams, UsageError } from '@lintel/service/command-line/command';
import { jsonLog } from '@lintel/service/command-line/json-log';
import { brokerUrl, parseCall, portNumber, requireAtMost, required } from '@lintel/service/command-line/options';
import { takeFolder } from '@lintel/service/data-folder/data-folder';
import { startHeartbeat } from '@lintel/service/systemd/heartbeat';
import { systemdWatchdog } from '@lintel/service/systemd/systemd-watchdog';
import type { UpdatedProgram } from '@lintel/updates/updated-program';
import { updatesOf } from '@lintel/updates/updates-of';
import { createGateway, type GatewayOptions, statusFile } from '../main.ts';
import type { StatusDocument } from '../status/status-document.ts';
import { statusText } from '../status/status-text.ts';
import { updatedGateway } from '../updates/updated-gateway.ts';

const usage = `lintel gateway --data DIR --listen HOST:PORT [--upstream URL] [OPTIONS]
lintel gateway status --data DIR [--json]

Runs the gateway of a site: controllers connect to it, reach the bridge and one another through it, and what they have
to say waits here while the line is down. When it serves it prints one line of JSON; a port of 0 picks a free one.
It is a device of the organization: claim it first, or while it runs, with \`lintel enroll --data DIR …\`.

  --data DIR           identity, messages that wait and state; keep it private
  --listen HOST:PORT   MQTT over TLS for the controllers of the site, such as 0.0.0.0:8883
  --upstream URL       the bridge's broker: mqtts://…, or mqtt://127.0.0.1:… on the bridge's own machine
                       (default: what claiming said)
  --mqtt-port N        plain MQTT on loopback too, for simulated controllers
  --tunnel-port N      lets controllers without a route of their own reach the bridge's HTTPS (on HOST, the bridge only)
  --status-port N      the status page, on loopback (default: a free one)
  --store-mb N         what may wait here at most (default 1024)
  --no-mdns            is not announced on the network; controllers must be told where it is

SIGUSR2 ends it at the next moment in which no request goes through it: its package has been replaced.
status shows controllers, queues, the line and the clock of the gateway that runs with DIR.

  npx lintel gateway --data .lintel/gateway --listen 0.0.0.0:8883 --upstream mqtts://doors.example.com:8883
`;

const options = {
  data: { type: 'string' },
  listen: { type: 'string' },
  upstream: { type: 'string' },
  'mqtt-port': { type: 'string' },
  'tunnel-port': { type: 'string' },
  'status-port': { type: 'string' },
  'store-mb': { type: 'string' },
  'no-mdns': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => parseCall({ args, options, allowPositionals: true });

type Values = ReturnType<typeof parse>['values'];

const portOr = <T>(values: Values, name: 'mqtt-port' | 'tunnel-port' | 'status-port', otherwise: T): number | T => {
  const text = values[name];
  return text === undefined ? otherwise : portNumber(text, name);
};

const addressIn = (text: string | undefined): GatewayOptions['listen'] => {
  const parts = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d+)$/.exec(text ?? '');
  if (parts === null) throw new UsageError('--listen must be an address such as 0.0.0.0:8883 or [::]:8883');
  return { host: parts[1] ?? parts[2]!, port: portNumber(parts[3], 'listen') };
};

const megabytes = (text: string | undefined): GatewayOptions['storeLimits'] => {
  if (text === undefined) return undefined;
  if (!(Number(text) > 0)) throw new UsageError('--store-mb must be a number above 0');
  return { mostBytes: Number(text) * 1024 * 1024 };
};

const LINGER_MS = 500;

/** Its package has been replaced: whoever looks after it starts the new one. */
const whenAskedAndQuiet = (program: UpdatedProgram, restart: () => void): void => {
  const terms = { quietMs: program.quietMs, withinMs: Infinity, signal: new AbortController().signal };
  process.on('SIGUSR2', () => void program.quiet(terms).then(restart));
};

const serve = async (dataDir: string, values: Values, streams: CommandStreams): Promise<number> => {
  const listen = addressIn(values.listen);
  const upstream = brokerUrl(values.upstream, 'upstream') ?? null;
  const storeLimits = megabytes(values['store-mb']);
  const log = jsonLog(streams);
  const release = takeFolder(dataDir, 'gateway', log);
  const stopped = Promise.withResolvers<void>();
  process.once('SIGTERM', () => stopped.resolve());
  process.once('SIGINT', () => stopped.resolve());
  const updates = await updatesOf({ product: 'gateway', env: process.env, log, restart: stopped.resolve });
  const gateway = await createGateway({
    dataDir,
    listen,
    upstream,
    mqttPort: portOr(values, 'mqtt-port', null),
    tunnelPort: portOr(values, 'tunnel-port', null),
    statusPort: portOr(values, 'status-port', 0),
    mdns: values['no-mdns'] !== true,
    log,
    ...(storeLimits === undefined ? {} : { storeLimits }),
    ...(updates === null ? {} : { updates }),
  });
  const updated = updatedGateway(gateway, log);
  updates?.start(updated);
  whenAskedAndQuiet(updated, stopped.resolve);
  const device_id = gateway.deviceId();
  streams.stdout.write(`${JSON.stringify({ ready: true, ...gateway.addresses(), device_id })}\n`);
  updates?.ready();
  const stopHeartbeat = startHeartbeat(systemdWatchdog());
  await stopped.promise;
  stopHeartbeat();
  updates?.stop();
  await gateway.stop();
  release();
  // A name that is being looked up cannot be called off, and would keep the process for as long as that takes.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return 0;
};

const statusOfRunning = async (dataDir: string): Promise<StatusDocument> => {
  const { url } = JSON.parse(readFileSync(statusFile(dataDir), 'utf8')) as { url: string };
  const answer = await fetch(`${url}/status.json`, { signal: AbortSignal.timeout(5000) });
  return (await answer.json()) as StatusDocument;
};

const showStatus = async (dataDir: string, isJson: boolean, { stdout, stderr }: CommandStreams): Promise<number> => {
  try {
    const status = await statusOfRunning(dataDir);
    stdout.write(isJson ? `${JSON.stringify(status)}\n` : statusText(status));
    return 0;
  } catch {
    stderr.write(`no gateway runs with --data ${dataDir}\n`);
    return 1;
  }
};

export const command = commandOf(usage, async (args, streams) => {
  const { values, positionals } = parse(args);
  const [word] = positionals;
  if (word !== undefined && word !== 'status') throw new UsageError(`"${word}" is not understood`);
  requireAtMost(positionals, 1);
  const data = required(values.data, 'data');
  return word === 'status' ? showStatus(data, values.json === true, streams) : serve(data, values, streams);
});
