import { flushCompileCache } from 'node:module';
import { type Command, commandOf, type CommandStreams, UsageError } from '@lintel/service/command-line/command';
import { jsonLog } from '@lintel/service/command-line/json-log';
import { brokerUrl, parseCall, portNumber, required } from '@lintel/service/command-line/options';
import { takeFolder } from '@lintel/service/data-folder/data-folder';
import type { GatewayDiscovery } from '@lintel/device-link/discovery/gateway-discovery';
import { updatesOf } from '@lintel/updates/updates-of';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { eventDiskMb } from '@lintel/hardware-profiles/policies';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { SteppedTime } from '../clock/stepped-time.ts';
import { systemTime } from '../clock/system-time.ts';
import { KeptProfile } from '../profile/chosen-profile.ts';
import { createController, type RunningController } from '../main.ts';
import { openParts } from '@lintel/drivers/open-parts/open-parts';
import type { PartsContext } from '@lintel/drivers/open-parts/opened-bus';
import type { Log } from '@lintel/service/log';
import type { ProfileSelection } from '../technician/profile-choice.ts';
import { withTail } from '../technician/log-tail.ts';
import type { RunningTechnician, TechnicianOptions } from '../technician/start.ts';
import { quietMoment } from '../updates/quiet-moment.ts';
import { updatedController } from '../updates/updated-controller.ts';

const usage = `lintel device [--profile FILE] --data DIR [--upstream URL]

Runs the firmware of a door controller. When it serves it prints one line of JSON. Claimed or not, with or without a
network: the door works by what is in DIR.

  --profile FILE           the product, see \`lintel profile list\`; laptop-simulator has simulated parts. Without it the one
                           that a technician has chosen on the controller's page, and until then nothing but that page
  --data DIR               slice, events, keys and state; made at first start, keep it private
  --upstream URL           the broker of the bridge or of the site's gateway, mqtts://host:8883 or, on this machine,
                           mqtt://127.0.0.1:1883. Without it those that the bridge named when the controller was claimed
  --technician-host ADDR   address of the technician page, default 0.0.0.0
  --technician-port N      port of the technician page, default 8443; 0 picks a free one
  --pages DIR              folder of technician.html, default console/dist of a checkout
  --event-disk-mb N        what events may take on the disk while there is no line, instead of the profile's 3072
  --no-mdns                the page is not announced on the network, and no gateway is looked for there

When another profile was chosen on its page it ends with code 75, to be started again. SIGUSR2 asks for the same, at the
next moment in which nobody is at a door: its package has been replaced.

  npx lintel device --profile hardware-profiles/profiles/laptop-simulator.json --data .lintel/door
`;

const options = {
  profile: { type: 'string' },
  data: { type: 'string' },
  upstream: { type: 'string' },
  'technician-host': { type: 'string' },
  'technician-port': { type: 'string' },
  pages: { type: 'string' },
  'event-disk-mb': { type: 'string' },
  'no-mdns': { type: 'boolean' },
} as const;

interface Settings {
  /** Null for the one that was chosen on its page. */
  readonly profile: string | null;
  readonly data: string;
  readonly upstream: string | undefined;
  /** Null for the profile's. */
  readonly eventDiskMb: number | null;
  readonly technician: Pick<TechnicianOptions, 'host' | 'port' | 'pages' | 'advertises'>;
}

const megabytes = (text: string): number => {
  const { min, max } = eventDiskMb;
  if (!/^\d{1,7}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new UsageError(`--event-disk-mb must be ${min} to ${max}`);
  return Number(text);
};

const settingsOf = (args: readonly string[]): Settings => {
  const { values } = parseCall({ args, options });
  const { profile, 'technician-host': host, 'technician-port': port, 'no-mdns': silent } = values;
  const mb = values['event-disk-mb'];
  const data = required(values.data, 'data');
  const upstream = brokerUrl(values.upstream, 'upstream');
  const technician = {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: portNumber(port, 'technician-port') }),
    advertises: silent !== true,
    pages: values.pages,
  };
  return { profile: profile ?? null, data, upstream, eventDiskMb: mb === undefined ? null : megabytes(mb), technician };
};

const told = (): Promise<void> =>
  new Promise(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

interface Served extends Settings, Pick<TechnicianOptions, 'profiles' | 'power'> {
  readonly product: Profile;
  readonly device: RunningController;
  readonly log: Log;
  readonly logTail: () => readonly string[];
}

/** The door serves also without its page. */
const technicianOf = async (served: Served): Promise<RunningTechnician | null> => {
  const { product, device, log, logTail, data: dataDir, technician, profiles, power } = served;
  try {
    // The door does not wait for its page to be loaded.
    const { startTechnician } = await import('../technician/start.ts');
    const productId = product.product_id;
    const page = {
      dataDir,
      device,
      productId,
      profile: product,
      log,
      logTail,
      ...(power && { power }),
      ...(profiles && { profiles }),
    };
    return await startTechnician({ ...technician, ...page });
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

/** After so long the first moment in which nothing moves is taken. */
const QUIET_WITHIN_MS = 300_000;

const whenAskedAndQuiet = (controller: RunningController['controller'], restart: () => void): void => {
  const { signal } = new AbortController();
  const quietMs = Number(process.env['LINTEL_QUIET_SECONDS'] ?? 10) * 1000;
  process.on('SIGUSR2', () => {
    void quietMoment({ controller }, { quietMs, withinMs: QUIET_WITHIN_MS, signal }).then(restart);
  });
};

const LINGER_MS = 500;
/** Whoever looks after it starts it again: with another profile. */
const START_AGAIN = 75;

type VirtualHardwareLoader = PartsContext['loadVirtualHardware'];

const serve = async (
  settings: Settings,
  streams: CommandStreams,
  loadVirtualHardware: VirtualHardwareLoader,
): Promise<number> => {
  const kept = new KeptProfile(settings.data);
  const { profile: product, problem } =
    settings.profile === null ? kept.read() : { profile: loadProfile(settings.profile), problem: null };
  let exitCode = 0;
  const { data, upstream } = settings;
  const { log, tail: logTail } = withTail(jsonLog(streams), () => new Date());
  const release = takeFolder(data, 'device', log);
  const makingWay = Promise.withResolvers<void>();
  const stopped = Promise.race([told(), makingWay.promise]);
  const { product_id } = product;
  let device: RunningController | null = null;
  const system = new SteppedTime(systemTime());
  const parts = await openParts(product, {
    log,
    clock: new ProcessClock(),
    dataDir: data,
    phoneIdentity: () => device?.membership() ?? null,
    stepClock: ms => system.step(ms),
    ...(loadVirtualHardware === undefined ? {} : { loadVirtualHardware }),
  });
  // A clock that is stepped for a test stays right for the broker on the same machine, who compares it with its own.
  const looksForGateways = upstream === undefined && settings.technician.advertises;
  const discovery: { discovery?: GatewayDiscovery } = looksForGateways ? { discovery: await gateways(log) } : {};
  const proxies = (organizationId: string): readonly string[] => discovery.discovery?.proxies(organizationId) ?? [];
  const updates = await updatesOf({ product: 'controller', env: process.env, log, restart: makingWay.resolve });
  const updated = updates === null ? {} : { updates: updates.desk, firmware: updates.version };
  const reached = { url: upstream, power: () => parts.power(), machineNow: Date.now };
  const network = { product_id, ...reached, ...discovery, ...updated };
  const diskMb = settings.eventDiskMb ?? product.policies.event_disk_mb;
  const eventDiskBudget = diskMb * 2 ** 20;
  device = createController({ ...parts, dataDir: data, log, network, system, eventDiskBudget });
  updates?.start(updatedController(device, proxies));
  if (problem !== null) device.controller.setFault('profile', problem);
  const profiles: ProfileSelection = {
    isFixed: settings.profile !== null,
    keep: profile => kept.keep(profile),
    restart: () => {
      exitCode = START_AGAIN;
      makingWay.resolve();
    },
  };
  whenAskedAndQuiet(device.controller, () => profiles.restart());
  const page = await technicianOf({ ...settings, product, device, log, logTail, profiles, power: () => parts.power() });
  const device_id = device.membership()?.device_id ?? device.controller.snapshot.deviceId;
  const technician = page?.url ?? null;
  const technician_fingerprint = page?.fingerprint ?? null;
  streams.stdout.write(
    `${JSON.stringify({ ready: true, product_id, device_id, technician, technician_fingerprint })}\n`,
  );
  updates?.ready();
  // A controller is rarely stopped in an orderly way, and its next start should be as quick.
  flushCompileCache();
  await stopped;
  updates?.stop();
  await Promise.allSettled([device.stop(), page?.stop()]);
  await parts.close();
  release();
  // A name that is being looked up cannot be called off, and would keep the process for as long as that takes.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return exitCode;
};

/** `loadVirtualHardware` makes profiles with simulated parts available, such as laptop-simulator. */
export const deviceCommand = (loadVirtualHardware?: VirtualHardwareLoader): Command =>
  commandOf(usage, (args, streams) => serve(settingsOf(args), streams, loadVirtualHardware));
