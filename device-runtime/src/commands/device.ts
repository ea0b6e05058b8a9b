import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { flushCompileCache } from 'node:module';
import {
  type CliCommand,
  createCliCommand,
  type CommandStreams,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import {
  createProgramLog,
  LOG_FORMAT_HELP,
  type LogFormat,
  parseLogFormat,
} from '@lintel/service/command-line/program-log';
import {
  parseBrokerUrlOption,
  parseCommandArguments,
  parsePortOption,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { lockDataFolder } from '@lintel/service/data-folder/data-folder';
import type { GatewayDiscovery } from '@lintel/device-link/discovery/gateway-discovery';
import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import { loadProgramUpdateService } from '@lintel/updates/load-program-update-service';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { eventDiskLimitsMb } from '@lintel/hardware-profiles/times-policies-and-power-schemas';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { SystemTimeWithOffset } from '../clock/system-time-with-test-offset.ts';
import { createSystemTime } from '@lintel/service/linux/system-time';
import { SelectedProfileFile, UNCONFIGURED_PRODUCT_ID } from '../profile/selected-profile.ts';
import { createController, type ControllerInstance } from '../main.ts';
import { type HardwareContext, openHardware } from '../hardware/open-hardware.ts';
import { PcscReaderAssignments } from '@lintel/drivers/pcsc';
import type { Log } from '@lintel/service/log-function-type';
import type { HardwareProfileSwitcher } from '../technician/resolve-hardware-profile-choice.ts';
import { createLogWithTail } from '../technician/log-tail.ts';
import type { TechnicianServer, TechnicianServerOptions } from '../technician/technician-server.ts';
import { waitUntilControllerIdle } from '../updates/wait-until-controller-idle.ts';
import { createControllerUpdateAdapter } from '../updates/controller-update-adapter.ts';

const usage = `lintel device [--profile FILE] --data DIR [--upstream URL]

Runs the firmware of a door controller. Prints one line of JSON when it is ready. The door works from the data in DIR,
claimed or not, with or without a network.

  --profile FILE           the product: a file, or an id of \`lintel profile list\`; laptop-simulator has
                           simulated parts. Default: the profile chosen on the technician page; until one is chosen,
                           only that page runs
  --data DIR               access snapshot, events, keys and state; created at the first start. Keep it private
  --upstream URL           the broker of the bridge or of the site's gateway, mqtts://host:8883 or, on this machine,
                           mqtt://127.0.0.1:1883. Default: the brokers that the bridge named in the claim
  --technician-host ADDR   address of the technician page, default 0.0.0.0
  --technician-port N      port of the technician page, default 8443; 0 picks a free one
  --pages DIR              folder of technician.html, default console/dist of a checkout
  --event-disk-mb N        disk space for events while offline, default from the profile (3072)
  --no-mdns                do not announce the page on the network, and do not look for gateways
  --log-format FORMAT      ${LOG_FORMAT_HELP}

Exits with code 75 to be restarted after another profile was chosen on the page. SIGUSR2 requests such a restart as soon as
the doors are idle, for example after a package upgrade.

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
  'log-format': { type: 'string' },
} as const;

interface Settings {
  /** Null: the one chosen on the technician page. */
  readonly profile: string | null;
  readonly data: string;
  readonly upstream: string | undefined;
  /** Null: from the profile. */
  readonly eventDiskMb: number | null;
  readonly logFormat: LogFormat;
  readonly technician: Pick<TechnicianServerOptions, 'host' | 'port' | 'pages' | 'advertises'>;
}

const parseMegabytes = (text: string): number => {
  const { min, max } = eventDiskLimitsMb;
  if (!/^\d{1,7}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new UsageError(`--event-disk-mb must be ${min} to ${max}`);
  return Number(text);
};

const parseSettings = (args: readonly string[]): Settings => {
  const { values } = parseCommandArguments({ args, options });
  const { profile, 'technician-host': host, 'technician-port': port, 'no-mdns': silent } = values;
  const mb = values['event-disk-mb'];
  const data = requireOption(values.data, 'data');
  const upstream = parseBrokerUrlOption(values.upstream, 'upstream');
  const technician = {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: parsePortOption(port, 'technician-port') }),
    advertises: silent !== true,
    pages: values.pages,
  };
  return {
    profile: profile ?? null,
    data,
    upstream,
    eventDiskMb: mb === undefined ? null : parseMegabytes(mb),
    logFormat: parseLogFormat(values['log-format']),
    technician,
  };
};

const describeProduct = ({ product_id, revision, name, capabilities }: Profile): HelloMqttMessage['product'] =>
  product_id === UNCONFIGURED_PRODUCT_ID ? null : { revision_id: revision, name, capabilities };

const waitForStopSignal = (): Promise<void> =>
  new Promise(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

interface ServedController
  extends Settings,
    Pick<TechnicianServerOptions, 'profiles' | 'power' | 'pcscReaders' | 'replaceableReaders'> {
  readonly product: Profile;
  readonly device: ControllerInstance;
  readonly log: Log;
  readonly logTail: () => readonly string[];
}

/** The door also works without its page. */
const startTechnicianPage = async (served: ServedController): Promise<TechnicianServer | null> => {
  const {
    product,
    device,
    log,
    logTail,
    data: dataDir,
    technician,
    profiles,
    power,
    pcscReaders,
    replaceableReaders,
  } = served;
  try {
    // Loaded late, so that the door does not wait for it.
    const { startTechnicianServer } = await import('../technician/technician-server.ts');
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
      ...(pcscReaders && { pcscReaders }),
      ...(replaceableReaders && { replaceableReaders }),
    };
    return await startTechnicianServer({ ...technician, ...page });
  } catch (error) {
    device.controller.setFault('technician', `The technician page is not available: ${(error as Error).message}`);
    return null;
  }
};

/** Loaded only when needed. */
const createGatewayDiscovery = async (log: Log) => {
  const { GatewayDiscovery } = await import('@lintel/device-link/discovery/gateway-discovery');
  return new GatewayDiscovery(log);
};

/** After this time any moment without movement is used. */
const QUIET_WITHIN_MS = 300_000;

const restartOnSignal = (controller: ControllerInstance['controller'], restart: () => void): void => {
  const { signal } = new AbortController();
  const quietMs = Number(process.env['LINTEL_QUIET_SECONDS'] ?? 10) * 1000;
  process.on('SIGUSR2', () => {
    void waitUntilControllerIdle({ controller }, { quietMs, withinMs: QUIET_WITHIN_MS, signal }).then(restart);
  });
};

const READ_AGAIN_MS = 10_000;

/** What could not be read at the start is used as soon as it can be read, if a service manager starts the controller again. */
const restartWhenReadable = (canReadAgain: () => boolean, log: Log, restart: () => void): (() => void) => {
  const isManaged = process.env['INVOCATION_ID'] !== undefined;
  const stop = repeatEvery(READ_AGAIN_MS, () => {
    if (!canReadAgain()) return;
    stop();
    log(
      'warn',
      `Files can be read again that could not be read at the start. ${isManaged ? 'Restarting' : 'Restart the controller'} to use them`,
    );
    if (isManaged) restart();
  });
  return stop;
};

const EXIT_GRACE_MS = 500;
/** The service manager restarts the controller on this code. */
const RESTART_EXIT_CODE = 75;

type VirtualHardwareLoader = HardwareContext['loadVirtualHardware'];

const serve = async (
  settings: Settings,
  streams: CommandStreams,
  loadVirtualHardware: VirtualHardwareLoader,
): Promise<number> => {
  const profileFile = new SelectedProfileFile(settings.data);
  const { profile: product, problem } =
    settings.profile === null ? profileFile.read() : { profile: loadProfile(settings.profile), problem: null };
  let exitCode = 0;
  const { data, upstream } = settings;
  const now = (): Date => new Date();
  const { log, tail: logTail } = createLogWithTail(createProgramLog(streams, settings.logFormat, now), now);
  const release = lockDataFolder(data, 'device', log);
  const stopRequested = Promise.withResolvers<void>();
  const stopped = Promise.race([waitForStopSignal(), stopRequested.promise]);
  const { product_id } = product;
  let device: ControllerInstance | null = null;
  const system = new SystemTimeWithOffset(createSystemTime());
  const pcscReaders = new PcscReaderAssignments(data);
  const parts = await openHardware(product, {
    log,
    clock: new ProcessClock(),
    dataDir: data,
    pcscReaders,
    phoneIdentity: () => device?.enrollment() ?? null,
    bluetooth: {
      key: () => device?.controller.siteDirectory.bluetoothKey() ?? null,
      now: () => device?.time.now() ?? Date.now(),
    },
    stepClock: ms => system.step(ms),
    ...(loadVirtualHardware === undefined ? {} : { loadVirtualHardware }),
  });
  // The broker on the same machine compares with its own clock, so a stepped clock must not be used for it.
  const looksForGateways = upstream === undefined && settings.technician.advertises;
  const discovery: { discovery?: GatewayDiscovery } = looksForGateways
    ? { discovery: await createGatewayDiscovery(log) }
    : {};
  const proxies = (organizationId: string): readonly string[] => discovery.discovery?.proxies(organizationId) ?? [];
  const updates = await loadProgramUpdateService({
    product: 'controller',
    env: process.env,
    log,
    restart: stopRequested.resolve,
  });
  const updated = updates === null ? {} : { updates: updates.handler, firmware: updates.version };
  const connection = { url: upstream, power: () => parts.power(), machineNow: Date.now };
  const network = { product_id, product: describeProduct(product), ...connection, ...discovery, ...updated };
  const diskMb = settings.eventDiskMb ?? product.policies.event_disk_mb;
  const eventDiskBudget = diskMb * 2 ** 20;
  const memoryFolder = process.env['RUNTIME_DIRECTORY'] ?? '/dev/shm';
  device = createController({ ...parts, dataDir: data, log, network, system, eventDiskBudget, memoryFolder });
  updates?.start(createControllerUpdateAdapter(device, proxies));
  if (problem !== null) device.controller.setFault('profile', problem);
  const profiles: HardwareProfileSwitcher = {
    isFixed: settings.profile !== null,
    save: profile => profileFile.save(profile),
    restart: () => {
      exitCode = RESTART_EXIT_CODE;
      stopRequested.resolve();
    },
  };
  const running = device;
  restartOnSignal(running.controller, () => profiles.restart());
  const stopReading = restartWhenReadable(
    () => running.canReadAgain() || profileFile.canReadAgain(),
    log,
    () => profiles.restart(),
  );
  const page = await startTechnicianPage({
    ...settings,
    product,
    device,
    log,
    logTail,
    profiles,
    pcscReaders,
    replaceableReaders: () => parts.replaceableReaders(),
    power: () => parts.power(),
  });
  const device_id = device.enrollment()?.device_id ?? device.controller.snapshot.deviceId;
  const technician = page?.url ?? null;
  const technician_fingerprint = page?.fingerprint ?? null;
  streams.stdout.write(
    `${JSON.stringify({ ready: true, product_id, device_id, technician, technician_fingerprint })}\n`,
  );
  updates?.ready();
  // Saved now, so that the next start is fast even if this process is killed.
  flushCompileCache();
  await stopped;
  stopReading();
  updates?.stop();
  await Promise.allSettled([device.stop(), page?.stop()]);
  await parts.close();
  release();
  // A pending DNS lookup cannot be canceled and would keep the process alive.
  setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
  return exitCode;
};

/** `loadVirtualHardware` makes profiles with simulated parts available, such as laptop-simulator. */
export const createDeviceCommand = (loadVirtualHardware?: VirtualHardwareLoader): CliCommand =>
  createCliCommand(usage, (args, streams) => serve(parseSettings(args), streams, loadVirtualHardware));
