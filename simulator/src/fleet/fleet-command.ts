import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createCliCommand,
  type CommandStreams,
  type CommandHandler,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { listenForSignals } from '@lintel/service/command-line/listen-for-signals';
import { readDataFolderKind } from '@lintel/service/data-folder/data-folder';
import { FleetBridgeClient, FleetBridgeError } from './fleet-bridge-client.ts';
import { ensureClaimedFleet } from './ensure-claimed-fleet.ts';
import type { FleetTapMode } from './fleet-worker.ts';
import { findOrCreateFleetSite } from './find-or-create-fleet-site.ts';
import { hasFleetRunPassed, formatFleetReport } from './fleet-report.ts';
import { runFleet } from './fleet-run.ts';
import { FleetKeyFile } from './fleet-key-file.ts';
import { createLocalBridgeToken } from './create-local-bridge-token.ts';
import { FleetProgressLine } from './progress-line.ts';

const usage = `lintel simulate fleet --devices N --bridge URL [OPTIONS]

Load-tests a bridge with many simulated controllers and reports latencies and errors. The controllers use real keys,
certificates, connections, messages and signatures, but run no firmware. They are claimed at their own site, which later
runs use again. Their keys are stored in a file that only its owner can read.

  --devices N          number of controllers (required)
  --bridge URL         address of the bridge, such as http://127.0.0.1:8080 (required)
  --data DIR           data folder of a bridge on this machine, to create a token; without it, set the environment
                       variable LINTEL_TOKEN to a token with the scope full_read_write
  --organization ID    organization for --data; required if the bridge has several
  --duration SECONDS   duration of the taps (default: 60)
  --tap-rate N         average taps per door and hour (default: 12); "max": as many as the bridge commits
  --steady             constant tap rate; by default the duration represents one day of a hotel, quiet at night
  --broker URL         MQTT address to use instead of the bridge's own, such as a gateway: mqtts://…
  --ca-fingerprint FP  CA fingerprint that the bridge prints at startup, for a bridge with its own CA
  --metrics-url URL    metrics of the bridge (lintel bridge --metrics-port), to report its memory
  --name NAME          name of the fleet and its site (default: fleet)
  --keys FILE          key file (default: fleet-NAME.keys in the data folder)
  --json               print one JSON document instead of text

  npx lintel simulate fleet --devices 1000 --bridge http://127.0.0.1:8080 --data .lintel/bridge
`;

const options = {
  devices: { type: 'string' },
  bridge: { type: 'string' },
  data: { type: 'string' },
  organization: { type: 'string' },
  duration: { type: 'string', default: '60' },
  'tap-rate': { type: 'string', default: '12' },
  steady: { type: 'boolean' },
  broker: { type: 'string' },
  'ca-fingerprint': { type: 'string' },
  'metrics-url': { type: 'string' },
  name: { type: 'string', default: 'fleet' },
  keys: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** The message is sufficient without the usage text. */
class BridgeFolderError extends Error {}

const MAX_DEVICES = 100_000;

const parseCount = (text: string | undefined, name: string, max: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text ?? '') || value < 1 || value > max) {
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}`);
  }
  return value;
};

const parseAmount = (text: string, name: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`--${name} must be a number of at least 0`);
  return value;
};

const parseTapMode = (rate: string, steady: boolean, durationMs: number): FleetTapMode =>
  rate === 'max'
    ? { kind: 'flood' }
    : { kind: 'rhythm', plan: { tapsPerHour: parseAmount(rate, 'tap-rate'), dayMs: steady ? null : durationMs } };

const parseArguments = (args: readonly string[]) => {
  const { values } = parseCommandArguments({ args, options });
  const { bridge, name, data } = values;
  if (!/^https?:$/.test(URL.parse(bridge ?? '')?.protocol ?? '')) {
    throw new UsageError('--bridge must be an address such as http://127.0.0.1:8080');
  }
  if (!/^[a-z0-9][a-z0-9-]{0,40}$/.test(name))
    throw new UsageError('--name must consist of lower-case letters, digits and hyphens');
  const durationMs = parseAmount(values.duration, 'duration') * 1000;
  return {
    bridgeUrl: bridge!,
    count: parseCount(values.devices, 'devices', MAX_DEVICES),
    durationMs,
    taps: parseTapMode(values['tap-rate'], values.steady === true, durationMs),
    caFingerprint: values['ca-fingerprint'] ?? null,
    broker: values.broker ?? null,
    metricsUrl: values['metrics-url'] ?? null,
    organization: values.organization ?? null,
    name,
    data: data ?? null,
    keys: values.keys ?? join(data ?? '.lintel', `fleet-${name}.keys`),
    json: values.json === true,
  };
};

/** A mistyped path must not create a bridge. A bridge with PostgreSQL has no organizations in its folder. */
const checkFolder = (folder: string): void => {
  if (readDataFolderKind(folder) === 'bridge' && existsSync(join(folder, 'bridge.sqlite'))) return;
  const subfolder = join(folder, 'bridge');
  const hint =
    readDataFolderKind(subfolder) === 'bridge'
      ? `Use --data ${subfolder}`
      : 'For a bridge elsewhere, set LINTEL_TOKEN instead of --data';
  throw new BridgeFolderError(`Not the data folder of a bridge with SQLite: ${folder}. ${hint}.`);
};

const tokenFor = async ({ data, organization }: ReturnType<typeof parseArguments>): Promise<string> => {
  if (data !== null) {
    checkFolder(data);
    return createLocalBridgeToken(data, organization);
  }
  const token = process.env['LINTEL_TOKEN'];
  if (token === undefined || token === '') {
    throw new UsageError(
      'A token is required: set LINTEL_TOKEN, or use --data with the data folder of a bridge on this machine',
    );
  }
  return token;
};

const simulate = async (
  args: readonly string[],
  stopped: AbortSignal,
  { stdout, stderr }: CommandStreams,
): Promise<number> => {
  const call = parseArguments(args);
  const { bridgeUrl, caFingerprint, count, name, json, taps, durationMs, metricsUrl } = call;
  const progress = new FleetProgressLine(stderr);
  const onProgress = (line: string): void => progress.show(line);
  const client = await FleetBridgeClient.open(bridgeUrl, await tokenFor(call), caFingerprint);
  try {
    const keys = new FleetKeyFile(call.keys);
    const site = await findOrCreateFleetSite(client, name);
    const onClaimed = (claimed: number, of: number): void => onProgress(`${claimed} of ${of} claimed`);
    const claims = { client, bridgeUrl, caFingerprint, site, keys, count, onClaimed, signal: stopped };
    const fleet = await ensureClaimedFleet(claims);
    const { mqtt, mqtts } = fleet.enrollment.brokers;
    const broker = call.broker ?? mqtt ?? mqtts;
    if (broker === null) throw new Error('The bridge has no broker address. Set it with --broker');
    const run = { fleet, keys: keys.path, broker, metricsUrl, taps, durationMs, onProgress, signal: stopped };
    const report = await runFleet(run);
    progress.clear();
    stdout.write(`${json ? JSON.stringify(report) : formatFleetReport(report)}\n`);
    return hasFleetRunPassed(report) ? 0 : 1;
  } finally {
    progress.clear();
    client.close();
  }
};

const run: CommandHandler = async (args, streams) => {
  const stopping = new AbortController();
  using _ = listenForSignals(['SIGINT', 'SIGTERM'], () => stopping.abort());
  try {
    return await simulate(args, stopping.signal, streams);
  } catch (error) {
    if (!(error instanceof BridgeFolderError)) throw error;
    streams.stderr.write(`${error.message}\n`);
    return 1;
  }
};

const describeError = (error: unknown): string =>
  `${(error as Error).message}${error instanceof FleetBridgeError ? '\nThe token must have the scope full_read_write.' : ''}`;

export const command = createCliCommand(usage, run, describeError);
