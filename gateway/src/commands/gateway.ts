import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import {
  type CommandHandler,
  type CommandStreams,
  createCliCommand,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import { createProgramLog, LOG_FORMAT_HELP, parseLogFormat } from '@lintel/service/command-line/program-log';
import {
  parseBrokerUrlOption,
  parsePortOption,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { readInstalledService } from '@lintel/service/command-line/installed-service';
import { findMistypedVariables } from '@lintel/service/command-line/environment-variables';
import { parseProgramOptions } from '@lintel/service/command-line/program-options';
import { lockDataFolder } from '@lintel/service/data-folder/data-folder';
import { startWatchdogHeartbeat } from '@lintel/service/systemd/watchdog-heartbeat';
import { createSystemdWatchdog } from '@lintel/service/systemd/systemd-watchdog';
import type { UpdatableProgram } from '@lintel/updates/updatable-program-interface';
import { loadProgramUpdateService } from '@lintel/updates/load-program-update-service';
import { startGatewayProgram, type GatewayOptions, buildGatewayStatusAddressPath } from '../main.ts';
import type { GatewayStatusDocument } from '../status/status-document-types.ts';
import { formatGatewayStatus } from '../status/status-text.ts';
import {
  homeAssistantOptionsHelp,
  homeAssistantOptionDefinitions,
  parseHomeAssistantOptions,
} from './home-assistant-options.ts';
import { createGatewayUpdateAdapter } from '../updates/gateway-update-adapter.ts';

const usage = `lintel gateway --data DIR --listen HOST:PORT [--upstream URL] [OPTIONS]
lintel gateway status [--data DIR] [--json]

Runs the gateway of a site. Controllers connect to it and reach the bridge and one another through it. They keep their
events until the bridge has them. Prints one line of JSON when it is ready. Port 0 picks a free port.
The gateway is a device of the organization: claim it first, or while it runs, with \`lintel enroll --data DIR …\`.

  --data DIR           identity, revocations and state; keep it private
  --listen HOST:PORT   MQTT over TLS for the controllers of the site, such as 0.0.0.0:8883
  --upstream URL       the bridge's broker: mqtts://…, or mqtt://127.0.0.1:… on the bridge's own machine
                       (default: the address from the claim)
  --mqtt-port N        also serve plain MQTT on loopback, for simulated controllers
  --tunnel-port N      forward HTTPS of controllers without internet access to the bridge, and nowhere else (on HOST)
  --status-port N      the status page, on loopback (default: a free port)
  --no-mdns            do not advertise the gateway on the network; controllers then need its address
${homeAssistantOptionsHelp}
  --log-format FORMAT  ${LOG_FORMAT_HELP}
  --config FILE        TOML file with options, such as mqtt_port = 1883

Every option can also be an environment variable: --mqtt-port is LINTEL_MQTT_PORT. The command line takes precedence over
the environment, and the environment over the file.

SIGUSR2 stops the gateway as soon as no request is in flight, after its package was replaced.
status shows controllers, the link and the clock of the gateway that runs with DIR, or of the one that the package has
installed.

  npx lintel gateway --data .lintel/gateway --listen 0.0.0.0:8883 --upstream mqtts://doors.example.com:8883
`;

const options = {
  data: { type: 'string' },
  listen: { type: 'string' },
  upstream: { type: 'string' },
  'mqtt-port': { type: 'string' },
  'tunnel-port': { type: 'string' },
  'status-port': { type: 'string' },
  'no-mdns': { type: 'boolean' },
  ...homeAssistantOptionDefinitions,
  'log-format': { type: 'string' },
  json: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => parseProgramOptions(args, options);

type Values = ReturnType<typeof parse>['values'];

const portOr = <T>(values: Values, name: 'mqtt-port' | 'tunnel-port' | 'status-port', fallback: T): number | T => {
  const text = values[name];
  return text === undefined ? fallback : parsePortOption(text, name);
};

const parseListenAddress = (text: string | undefined): GatewayOptions['listen'] => {
  const parts = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d+)$/.exec(text ?? '');
  if (parts === null) throw new UsageError('--listen must be an address such as 0.0.0.0:8883 or [::]:8883');
  return { host: parts[1] ?? parts[2]!, port: parsePortOption(parts[3], 'listen') };
};

const LINGER_MS = 500;

/** systemd then starts the program of the new package. */
const restartOnSignalWhenIdle = (program: UpdatableProgram, restart: () => void): void => {
  const idleWait = { quietMs: program.quietMs, withinMs: Infinity, signal: new AbortController().signal };
  process.on('SIGUSR2', () => void program.waitUntilIdle(idleWait).then(restart));
};

const serve = async (dataDir: string, values: Values, streams: CommandStreams): Promise<number> => {
  const listen = parseListenAddress(values.listen);
  const upstream = parseBrokerUrlOption(values.upstream, 'upstream') ?? null;
  const log = createProgramLog(streams, parseLogFormat(values['log-format']), () => new Date());
  for (const { variable, meant } of findMistypedVariables(options, process.env))
    log('warn', `The variable is not an option. Did you mean ${meant}?`, { variable });
  const homeAssistant = parseHomeAssistantOptions(values, log);
  const release = lockDataFolder(dataDir, 'gateway', log);
  const stopped = Promise.withResolvers<void>();
  process.once('SIGTERM', () => stopped.resolve());
  process.once('SIGINT', () => stopped.resolve());
  const updates = await loadProgramUpdateService({
    product: 'gateway',
    env: process.env,
    log,
    restart: stopped.resolve,
  });
  const gateway = await startGatewayProgram({
    dataDir,
    listen,
    upstream,
    mqttPort: portOr(values, 'mqtt-port', null),
    tunnelPort: portOr(values, 'tunnel-port', null),
    statusPort: portOr(values, 'status-port', 0),
    mdns: values['no-mdns'] !== true,
    log,
    ...(homeAssistant === undefined ? {} : { homeAssistant }),
    ...(updates === null ? {} : { updates }),
  });
  const adapter = createGatewayUpdateAdapter(gateway, log);
  updates?.start(adapter);
  restartOnSignalWhenIdle(adapter, stopped.resolve);
  const device_id = gateway.deviceId();
  streams.stdout.write(`${JSON.stringify({ ready: true, ...gateway.addresses(), device_id })}\n`);
  updates?.ready();
  // Saved now, so that the next start is fast even if this process is killed.
  flushCompileCache();
  const stopHeartbeat = startWatchdogHeartbeat(createSystemdWatchdog());
  await stopped.promise;
  stopHeartbeat();
  updates?.stop();
  await gateway.stop();
  release();
  // A pending DNS lookup cannot be canceled and would keep the process alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return 0;
};

const fetchStatus = async (dataDir: string): Promise<GatewayStatusDocument> => {
  const { url } = JSON.parse(readFileSync(buildGatewayStatusAddressPath(dataDir), 'utf8')) as { url: string };
  const response = await fetch(`${url}/status.json`, { signal: AbortSignal.timeout(5000) });
  return (await response.json()) as GatewayStatusDocument;
};

const showStatus = async (dataDir: string, isJson: boolean, { stdout, stderr }: CommandStreams): Promise<number> => {
  try {
    const status = await fetchStatus(dataDir);
    stdout.write(isJson ? `${JSON.stringify(status)}\n` : formatGatewayStatus(status));
    return 0;
  } catch {
    stderr.write(`No gateway runs with --data ${dataDir}\n`);
    return 1;
  }
};

const run: CommandHandler = async (args, streams) => {
  const { values, positionals } = parse(args);
  const [subcommand] = positionals;
  if (subcommand !== undefined && subcommand !== 'status') throw new UsageError(`Unexpected argument: ${subcommand}`);
  rejectExtraArguments(positionals, 1);
  const installed = subcommand === 'status' ? readInstalledService('gateway') : null;
  const data = requireOption(values.data ?? installed?.data, 'data');
  return subcommand === 'status' ? showStatus(data, values.json === true, streams) : serve(data, values, streams);
};

export const command = { ...createCliCommand(usage, run), logsVariables: true };
