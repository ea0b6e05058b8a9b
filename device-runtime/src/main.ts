import { startWatchdogHeartbeat } from '@lintel/service/systemd/watchdog-heartbeat';
import { randomBytes } from 'node:crypto';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, instant } from '@lintel/access-core/instant';
import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { TrustedClock } from './clock/trusted-clock.ts';
import { type BootClock, openBootClock } from '@lintel/service/linux/boot-clock';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { type SystemTime, createSystemTime } from '@lintel/service/linux/system-time';
import { readFirmwareVersion } from './firmware-version.ts';
import { StartupFaults } from './faults/startup-faults.ts';
import { DigestKeyFile } from './credentials/digest-key-file.ts';
import {
  createBridgeLink,
  type BridgeLink,
  type BridgeLinkOptions,
  disabledBridgeLink,
} from './bridge-connection/bridge-link.ts';
import { SqliteSnapshotStore, type SnapshotStoreOptions } from './snapshot/store/sqlite-snapshot-store.ts';
import { JsonFileStore } from '@lintel/service/data-folder/json-file-store';
import { createSystemdWatchdog } from '@lintel/service/systemd/systemd-watchdog';
import type { ControllerDependencies } from './controller/controller-assembly.ts';
import { Controller } from './controller/controller.ts';
import { readSavedEventNumbering } from './events/event-sequence-allocator.ts';
import type { Wiring, InputLines, OutputLines } from '@lintel/drivers/interfaces';
import { EventStore } from './events/event-store.ts';
import { LastNumberFile } from './events/last-number-file.ts';
import { noUnwrittenCopy, UnwrittenCopyFile } from './events/unwritten-copy.ts';
import type { DigestKeySource } from './credentials/digest-key-source-interface.ts';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PeerActionExecutor } from './gadgets/peer-action-executor-interface.ts';
import { DataAuthenticator } from './state/data-authenticator.ts';
import type { ControllerStateKey } from './state/controller-state-keys.ts';
import type { Watchdog } from '@lintel/service/systemd/watchdog-interface';

export interface ControllerOptions
  extends Pick<ControllerDependencies, 'times' | 'untrustedTime' | 'snapshotRefusedAfterMs'> {
  readonly dataDir: string;
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly log: Log;
  /** Without it the controller works offline, claimed or not. */
  readonly network?: BridgeLinkOptions;
  /** Instead of the peers on the network. */
  readonly peers?: PeerActionExecutor;
  readonly digestKey?: DigestKeySource;
  readonly system?: SystemTime;
  /** Default: the clock of the process. */
  readonly clock?: MonotonicClock;
  /** Default: the clock of the machine; none with another `clock`. Without it every start counts as a power cycle. */
  readonly boot?: BootClock | null;
  readonly hasRtc?: boolean;
  readonly watchdog?: Watchdog;
  readonly eventDiskBudget?: number;
  /** On a file system in memory: outlives this process while the disk fails. */
  readonly memoryFolder?: string;
  readonly snapshotStoreOptions?: SnapshotStoreOptions;
  readonly onEventRecorded?: (event: DeviceEvent) => void;
}

export interface ControllerInstance extends Pick<BridgeLink, 'upstream' | 'claimService' | 'enrollment'> {
  readonly controller: Controller;
  readonly time: TrustedClock;
  readonly digestKey: Uint8Array;
  readonly digestKeyStorage: DigestKeySource['storage'];
  /** True when files can be read that could not be read at the start. A restart uses them. */
  canReadAgain(): boolean;
  /** When it returns, data is saved and inputs are ignored. Settles when the goodbye is sent. */
  stop(): Promise<void>;
}

/** Earlier times are implausible. */
const FIRMWARE_DATE: Instant = instant(Date.parse('2026-01-01T00:00:00Z'));

/** Null when the key cannot be read. All credentials are then unknown, but the exit button still works. */
const readDigestKey = (source: DigestKeySource, faults: StartupFaults): Uint8Array | null => {
  try {
    return source.read();
  } catch (error) {
    faults.add('digest_key', `PINs and cards are unknown: ${(error as Error).message}`);
    return null;
  }
};

const canReadDigestKey = (source: DigestKeySource): boolean => {
  try {
    source.read();
    return true;
  } catch {
    return false;
  }
};

const newestEventTime = (events: EventStore): Instant | null => {
  try {
    return events.newest(1)[0]?.occurred_at ?? null;
  } catch {
    // The controller handles a damaged file when it starts.
    return null;
  }
};

/** The share that `df` shows: without the blocks that are reserved for the system. */
const readDiskUsage = (folder: string): number | null => {
  try {
    const { blocks, bfree, bavail } = statfsSync(folder);
    const used = blocks - bfree;
    return used + bavail === 0 ? null : used / (used + bavail);
  } catch {
    return null;
  }
};

/** Creates a controller with its adapters. It is ready when this returns. */
export const createController = (options: ControllerOptions): ControllerInstance => {
  const { dataDir, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const clock = options.clock ?? new ProcessClock();
  const boot = options.boot === undefined && options.clock === undefined ? openBootClock() : (options.boot ?? null);
  const faults = new StartupFaults();
  const state = new JsonFileStore<ControllerStateKey>(join(dataDir, 'state'), {
    inPlace: ['sequence_ceiling'],
    onDamaged: (key, problem) => faults.add(`state_damaged:${key}`, problem),
    onUnreadable: (key, problem) => faults.add(`state_unreadable:${key}`, problem),
  });
  const system = options.system ?? createSystemTime();
  const lastEventNumber = new LastNumberFile(join(dataDir, 'last-event-number'));
  const { memoryFolder } = options;
  const unwrittenCopy = memoryFolder === undefined ? noUnwrittenCopy : new UnwrittenCopyFile(memoryFolder, dataDir);
  const copied = unwrittenCopy.read();
  const events = new EventStore({
    file: join(dataDir, 'events.db'),
    savedNumbering: () => readSavedEventNumbering(state, lastEventNumber, copied),
    ...(options.eventDiskBudget === undefined ? {} : { diskBudget: options.eventDiskBudget }),
  });
  const time = new TrustedClock({
    state,
    monotonic: boot ?? clock,
    bootId: boot?.id ?? null,
    system,
    hasRtc: options.hasRtc ?? false,
    earliest: FIRMWARE_DATE,
    lastWritten: newestEventTime(events),
  });
  const keySource: DigestKeySource = options.digestKey ?? new DigestKeyFile(join(dataDir, 'digest.key'));
  const storedKey = readDigestKey(keySource, faults);
  const digestKey = storedKey ?? randomBytes(32);
  const line =
    options.network === undefined
      ? disabledBridgeLink
      : createBridgeLink({
          ...options.network,
          dataDir,
          log,
          clock,
          time,
          system,
          digestKey,
          isDigestKeyPersistent: storedKey !== null,
        });
  const controller = new Controller({
    ...options,
    clock,
    wall: time,
    events,
    lastEventNumber,
    unwrittenCopy,
    diskUsage: () => readDiskUsage(dataDir),
    snapshotStore: new SqliteSnapshotStore(join(dataDir, 'slice.db'), new DataAuthenticator(digestKey), {
      programVersion: readFirmwareVersion(),
      ...options.snapshotStoreOptions,
    }),
    state,
    peers: options.peers ?? line.peers,
    digestKey,
    reportStartupFaults: report => faults.reportTo(report),
    randomBytes,
    onEventRecorded: event => {
      line.onEventRecorded(event);
      options.onEventRecorded?.(event);
    },
    onOlderEventsWaiting: () => line.onOlderEventsWaiting(),
  });
  const claimed = new EnrollmentFile(dataDir).read();
  // Before the start, because the folder may contain data of another organization.
  if (claimed.ok && claimed.value !== null) controller.setOwner(claimed.value);
  controller.start();
  line.start(controller);
  const endHeartbeat = startWatchdogHeartbeat(options.watchdog ?? createSystemdWatchdog(), () =>
    controller.isHealthy(),
  );
  return {
    controller,
    time,
    digestKey,
    digestKeyStorage: keySource.storage,
    canReadAgain: () => state.canReadAgain || (storedKey === null && canReadDigestKey(keySource)),
    upstream: line.upstream,
    claimService: line.claimService,
    enrollment: line.enrollment,
    stop: () => {
      endHeartbeat();
      const gone = line.stop();
      controller.stop();
      lastEventNumber.close();
      time.save();
      return gone;
    },
  };
};
