import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { takeFolder } from '@lintel/device-link/data-folder/data-folder';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { eventDiskMb } from '@lintel/hardware-profiles/policies';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { ProcessClock } from '../adapters/clock/process-clock.ts';
import { SteppedTime } from '../adapters/clock/stepped-time.ts';
import { systemTime } from '../adapters/clock/system-time.ts';
import { createController, type RunningController } from '../main.ts';
import { openParts } from '../parts/open-parts.ts';
import type { Log } from '../ports/log.ts';
import { withTail } from '../technician/log-tail.ts';
import type { RunningTechnician } from '../technician/start.ts';

const usage = `lintel device --profile FILE --data DIR [--upstream URL]

Runs the firmware of a door controller. When it serves it prints one line of JSON. Claimed or not, with or without a
network: the door works by what is in DIR.

  --profile FILE           the product, see \`lintel profile list\`; laptop-simulator has simulated parts
  --data DIR               slice, events, keys and state; made at first start, keep it private
  --upstream URL           the broker of the bridge or of the site's gateway, mqtts://host:8883 or, on this machine,
                           mqtt://127.0.0.1:1883. Without it those that the bridge named when the controller was claimed
  --technician-host ADDR   where the technician's page listens, 0.0.0.0 unless told otherwise
  --technician-port N      8443 unless told otherwise; 0 for any
  --event-disk-mb N        what events may take on the disk while there is no line, instead of the profile's 3072
  --no-mdns                the page is not announced on the network, and no gateway is looked for there

  npx lintel device --profile hardware-profiles/profiles/laptop-simulator.json --data .lintel/door
`;

const options = {
  profile: { type: 'string' },
  data: { type: 'string' },
  upstream: { type: 'string' },
  'technician-host': { type: 'string' },
  'technician-port': { type: 'string' },
  'event-disk-mb': { type: 'string' },
  'no-mdns': { type: 'boolean' },
} as const;

class UsageError extends Error {}

interface Settings {
  readonly profile: string;
  readonly data: string;
  readonly upstream: string | undefined;
  /** Null for the profile's. */
  readonly eventDiskMb: number | null;
  readonly technician: { readonly host?: string; readonly port?: number; readonly advertises: boolean };
}

const given = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const portOf = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError('--technician-port must be 0 to 65535');
  return Number(text);
};

const megabytes = (text: string): number => {
  const { min, max } = eventDiskMb;
  if (!/^\d{1,7}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new UsageError(`--event-disk-mb must be ${min} to ${max}`);
  return Number(text);
};

const settingsOf = (args: readonly string[]): Settings => {
  const values = given(args);
  const { profile, data, upstream, 'technician-host': host, 'technician-port': port, 'no-mdns': silent } = values;
  const mb = values['event-disk-mb'];
  if (profile === undefined || data === undefined) throw new UsageError('--profile and --data are needed');
  if (upstream !== undefined && !/^mqtts?:$/.test(URL.parse(upstream)?.protocol ?? ''))
    throw new UsageError('--upstream must be an address such as mqtts://doors.example.com:8883');
  const technician = {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: portOf(port) }),
    advertises: silent !== true,
  };
  return { profile, data, upstream, eventDiskMb: mb === undefined ? null : megabytes(mb), technician };
};

const toStderr: Log = (level, message, facts = {}) => {
  process.stderr.write(`${JSON.stringify({ level, message, ...facts })}\n`);
};

const told = (): Promise<void> =>
  new Promise(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

interface Served extends Settings {
  readonly product: Profile;
  readonly device: RunningController;
  readonly log: Log;
  readonly logTail: () => readonly string[];
}

/** The door serves also without its page. */
const technicianOf = async (served: Served): Promise<RunningTechnician | null> => {
  const { product, device, log, logTail, data, technician } = served;
  try {
    // The door does not wait for its page to be loaded.
    const { startTechnician } = await import('../technician/start.ts');
    const productId = product.product_id;
    return await startTechnician({ ...technician, dataDir: data, device, productId, profile: product, log, logTail });
  } catch (error) {
    device.controller.setFault('technician', `the technician's page is not served: ${(error as Error).message}`);
    return null;
  }
};

/** Loaded only where it is of use. */
const gateways = async (log: Log) => {
  const { GatewayDiscovery } = await import('@lintel/device-link/discovery/gateway-discovery');
  return new GatewayDiscovery(log);
};

const LINGER_MS = 500;

const serve = async (settings: Settings, product: Profile): Promise<void> => {
  const stopped = told();
  const { data, upstream } = settings;
  const { log, tail: logTail } = withTail(toStderr, () => new Date());
  const release = takeFolder(data, 'device', log);
  const { product_id } = product;
  let device: RunningController | null = null;
  const system = new SteppedTime(systemTime());
  const parts = await openParts(product, {
    log,
    clock: new ProcessClock(),
    dataDir: data,
    phoneIdentity: () => device?.membership() ?? null,
    stepClock: ms => system.step(ms),
  });
  // A clock that is stepped for a test stays right for the broker on the same machine, who compares it with its own.
  const looksForGateways = upstream === undefined && settings.technician.advertises;
  const discovery = looksForGateways ? { discovery: await gateways(log) } : {};
  const network = { product_id, url: upstream, power: () => parts.power(), machineNow: Date.now, ...discovery };
  const diskMb = settings.eventDiskMb ?? product.policies.event_disk_mb;
  const eventDiskBudget = diskMb * 2 ** 20;
  device = createController({ ...parts, dataDir: data, log, network, system, eventDiskBudget });
  const page = await technicianOf({ ...settings, product, device, log, logTail });
  const device_id = device.membership()?.device_id ?? device.controller.slice.deviceId;
  const technician = page?.url ?? null;
  const technician_fingerprint = page?.fingerprint ?? null;
  process.stdout.write(
    `${JSON.stringify({ ready: true, product_id, device_id, technician, technician_fingerprint })}\n`,
  );
  // A controller is rarely stopped in an orderly way, and its next start should be as quick.
  flushCompileCache();
  await stopped;
  await Promise.allSettled([device.stop(), page?.stop()]);
  await parts.close();
  release();
  // A name that is being looked up cannot be called off, and would keep the process for as long as that takes.
  setTimeout(() => process.exit(), LINGER_MS).unref();
};

const run = async (args: readonly string[]): Promise<number> => {
  try {
    const settings = settingsOf(args);
    await serve(settings, loadProfile(settings.profile));
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${usage}` : ''}`);
    return isUsage ? 2 : 1;
  }
};

export const command = { usage, run };
