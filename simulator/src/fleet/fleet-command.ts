import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, type CommandStreams, type RunCommand, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { onSignals } from '@lintel/service/command-line/signals';
import { kindOf } from '@lintel/service/data-folder/data-folder';
import { BridgeClient, FleetBridgeError } from './bridge-client.ts';
import { claimFleet } from './claim-fleet.ts';
import type { TapOrder } from './fleet-crew.ts';
import { openPlace } from './fleet-place.ts';
import { isWhole, reportInWords } from './fleet-report.ts';
import { runFleet } from './fleet-run.ts';
import { FleetKeyFile } from './key-file.ts';
import { localToken } from './local-token.ts';
import { ProgressLine } from './progress-line.ts';

const usage = `lintel simulate fleet --devices N --bridge URL [OPTIONS]

Connects many controllers to a bridge, lets people tap at their doors, and says how it went. The controllers are protocol
clients: real keys, certificates, connections, messages and signatures, and no firmware behind them. They are claimed at a
site of their own, which the next run finds again; their keys are kept in a file for their owner only.

  --devices N          how many controllers
  --bridge URL         the bridge: http://127.0.0.1:8080, https://doors.example.com
  --data DIR           the data folder of a bridge on this machine, to mint a token; without it the token is in
                       LINTEL_TOKEN (scope full_read_write)
  --organization ID    with --data, where there are several
  --duration SECONDS   how long people tap (default 60)
  --tap-rate N         taps of each door in an hour, on average (default 12); "max": as many as the bridge commits
  --steady             taps come evenly; without it the duration is a hotel's day, quiet by night and busy at check-in
  --broker URL         another way to the broker than the bridge tells: a gateway, mqtts://…
  --ca-fingerprint FP  what the bridge prints at its start, where it is its own authority
  --name NAME          of the fleet and its site (default "fleet"): several fleets do not meet
  --keys FILE          where the keys are kept
  --json               one JSON document instead of words

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
  name: { type: 'string', default: 'fleet' },
  keys: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** The call is right but for a folder: the sentence says all. */
class WrongFolder extends Error {}

const MOST_DEVICES = 100_000;

const wholeNumber = (text: string | undefined, name: string, most: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text ?? '') || value < 1 || value > most) {
    throw new UsageError(`--${name} must be a whole number from 1 to ${most}`);
  }
  return value;
};

const amount = (text: string, name: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new UsageError(`--${name} must be a number`);
  return value;
};

const tapOrder = (rate: string, steady: boolean, durationMs: number): TapOrder =>
  rate === 'max'
    ? { kind: 'flood' }
    : { kind: 'rhythm', plan: { tapsPerHour: amount(rate, 'tap-rate'), dayMs: steady ? null : durationMs } };

const parsed = (args: readonly string[]) => {
  const { values } = parseCall({ args, options });
  const { bridge, name, data } = values;
  if (!/^https?:$/.test(URL.parse(bridge ?? '')?.protocol ?? '')) {
    throw new UsageError('--bridge must be an address such as http://127.0.0.1:8080');
  }
  if (!/^[a-z0-9][a-z0-9-]{0,40}$/.test(name)) throw new UsageError('--name must be a word of a-z, 0-9 and hyphens');
  const durationMs = amount(values.duration, 'duration') * 1000;
  return {
    bridgeUrl: bridge!,
    count: wholeNumber(values.devices, 'devices', MOST_DEVICES),
    durationMs,
    taps: tapOrder(values['tap-rate'], values.steady === true, durationMs),
    caFingerprint: values['ca-fingerprint'] ?? null,
    broker: values.broker ?? null,
    organization: values.organization ?? null,
    name,
    data: data ?? null,
    keys: values.keys ?? join(data ?? '.lintel', `fleet-${name}.keys`),
    json: values.json === true,
  };
};

/** A mistyped name must not make another bridge. One with PostgreSQL has no organization in its folder. */
const checkFolder = (folder: string): void => {
  if (kindOf(folder) === 'bridge' && existsSync(join(folder, 'bridge.sqlite'))) return;
  const inside = join(folder, 'bridge');
  const hint = kindOf(inside) === 'bridge' ? `, ${inside} is` : '; for one elsewhere the token is in LINTEL_TOKEN';
  throw new WrongFolder(`--data ${folder} is not the data folder of a bridge with its own database${hint}`);
};

const tokenFor = async ({ data, organization }: ReturnType<typeof parsed>): Promise<string> => {
  if (data !== null) {
    checkFolder(data);
    return localToken(data, organization);
  }
  const token = process.env['LINTEL_TOKEN'];
  if (token === undefined || token === '') {
    throw new UsageError('a token is needed: in LINTEL_TOKEN, or --data with the folder of a bridge on this machine');
  }
  return token;
};

const simulate = async (
  args: readonly string[],
  stopped: AbortSignal,
  { stdout, stderr }: CommandStreams,
): Promise<number> => {
  const terms = parsed(args);
  const { bridgeUrl, caFingerprint, count, name, json, taps, durationMs } = terms;
  const progress = new ProgressLine(stderr);
  const onProgress = (line: string): void => progress.show(line);
  const client = await BridgeClient.open(bridgeUrl, await tokenFor(terms), caFingerprint);
  try {
    const keys = new FleetKeyFile(terms.keys);
    const place = await openPlace(client, name);
    const onClaimed = (claimed: number, of: number): void => onProgress(`${claimed} of ${of} claimed`);
    const claims = { client, bridgeUrl, caFingerprint, place, keys, count, onClaimed, signal: stopped };
    const fleet = await claimFleet(claims);
    const { mqtt, mqtts } = fleet.home.brokers;
    const broker = terms.broker ?? mqtt ?? mqtts;
    if (broker === null) throw new Error('the bridge names no broker; say with --broker where it is');
    const run = { fleet, keys: keys.path, broker, client, taps, durationMs, onProgress, signal: stopped };
    const report = await runFleet(run);
    progress.clear();
    stdout.write(`${json ? JSON.stringify(report) : reportInWords(report)}\n`);
    return isWhole(report) ? 0 : 1;
  } finally {
    progress.clear();
    client.close();
  }
};

const run: RunCommand = async (args, streams) => {
  const stopping = new AbortController();
  using _ = onSignals(['SIGINT', 'SIGTERM'], () => stopping.abort());
  try {
    return await simulate(args, stopping.signal, streams);
  } catch (error) {
    if (!(error instanceof WrongFolder)) throw error;
    streams.stderr.write(`${error.message}\n`);
    return 2;
  }
};

const inWords = (error: unknown): string =>
  `${(error as Error).message}${error instanceof FleetBridgeError ? '\nIs the token one with full_read_write?' : ''}`;

export const command = commandOf(usage, run, inWords);
