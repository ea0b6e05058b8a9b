import { startHeartbeat } from '@lintel/service/systemd/heartbeat';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, instant } from '@lintel/access-core/instant';
import { MembershipFile } from '@lintel/device-link/identity/membership';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { TrustedClock } from './clock/trusted-clock.ts';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { type SystemTime, systemTime } from './clock/system-time.ts';
import { DigestKeyFile } from './credentials/digest-key-file.ts';
import { bridgeLine, type BridgeLine, type BridgeLineOptions, noBridge } from './uplink/bridge-link.ts';
import { EventBuffer } from './events/store/event-buffer.ts';
import { SliceCache } from './snapshot/store/snapshot-store.ts';
import { StateFiles } from '@lintel/service/data-folder/state-files';
import { systemdWatchdog } from '@lintel/service/systemd/systemd-watchdog';
import type { ControllerParts } from './controller/assembly.ts';
import { Controller } from './controller/controller.ts';
import { readSequenceMemory } from './events/sequence-numbers.ts';
import type { Wiring } from '@lintel/drivers/ports/wiring';
import type { DigestKeySource } from './credentials/digest-key-source.ts';
import type { InputLines } from '@lintel/drivers/ports/input-lines';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { OutputLines } from '@lintel/drivers/ports/output-lines';
import type { PeerGadgets } from './gadgets/peer-gadgets.ts';
import type { StateKey } from './state/state-store.ts';
import type { Watchdog } from '@lintel/service/systemd/watchdog';

export interface ControllerOptions extends Pick<ControllerParts, 'times' | 'untrustedTime' | 'snapshotRefusedAfterMs'> {
  readonly dataDir: string;
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly log: Log;
  /** Without it the controller stays for itself, whether claimed or not. */
  readonly network?: BridgeLineOptions;
  /** Instead of those that the network leads to. */
  readonly peers?: PeerGadgets;
  readonly digestKey?: DigestKeySource;
  readonly system?: SystemTime;
  /** Default: the clock of the process. */
  readonly clock?: MonotonicClock;
  readonly hasRtc?: boolean;
  readonly watchdog?: Watchdog;
  readonly eventDiskBudget?: number;
  readonly recorded?: (event: DeviceEvent) => void;
}

export interface RunningController extends Pick<BridgeLine, 'upstream' | 'claiming' | 'membership'> {
  readonly controller: Controller;
  readonly time: TrustedClock;
  readonly digestKey: Uint8Array;
  readonly digestKeyKeptIn: DigestKeySource['keptIn'];
  /** All is on the disk and no door is watched any more when it returns; settles when the bridge has heard a goodbye. */
  stop(): Promise<void>;
}

/** No controller has run before this firmware was made. */
const FIRMWARE_DATE: Instant = instant(Date.parse('2026-01-01T00:00:00Z'));

interface DigestKey {
  readonly key: Uint8Array;
  readonly faults: readonly { readonly code: string; readonly message: string }[];
}

/** Without its key the door knows nobody, but the exit button still opens it. */
const readKey = (source: DigestKeySource): DigestKey => {
  try {
    return { key: source.read(), faults: [] };
  } catch (error) {
    const message = `no PIN and no card will be known: ${(error as Error).message}`;
    return { key: randomBytes(32), faults: [{ code: 'digest_key', message }] };
  }
};

const lastTimeIn = (events: EventBuffer): Instant | null => {
  try {
    return events.newest(1)[0]?.occurred_at ?? null;
  } catch {
    // A file that cannot be read says nothing of the time either; the controller deals with it when it starts.
    return null;
  }
};

/** The one place where the adapters of a controller are built. It serves when this returns. */
export const createController = (options: ControllerOptions): RunningController => {
  const { dataDir, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const clock = options.clock ?? new ProcessClock();
  const state = new StateFiles<StateKey>(join(dataDir, 'state'));
  const system = options.system ?? systemTime();
  const events = new EventBuffer({
    file: join(dataDir, 'events.db'),
    remembered: () => readSequenceMemory(state),
    ...(options.eventDiskBudget === undefined ? {} : { diskBudget: options.eventDiskBudget }),
  });
  const time = new TrustedClock({
    state,
    monotonic: clock,
    system,
    hasRtc: options.hasRtc ?? false,
    earliest: FIRMWARE_DATE,
    lastWritten: lastTimeIn(events),
  });
  const keySource: DigestKeySource = options.digestKey ?? new DigestKeyFile(join(dataDir, 'digest.key'));
  const digestKey = readKey(keySource);
  const line =
    options.network === undefined
      ? noBridge
      : bridgeLine({
          ...options.network,
          dataDir,
          log,
          clock,
          time,
          system,
          digestKey: digestKey.key,
          isDigestKeyKept: digestKey.faults.length === 0,
        });
  const controller = new Controller({
    ...options,
    clock,
    wall: time,
    events,
    snapshotStore: new SliceCache(join(dataDir, 'slice.db')),
    state,
    peers: options.peers ?? line.peers,
    digestKey: digestKey.key,
    faultsAtStart: digestKey.faults,
    randomBytes,
    recorded: event => {
      line.recorded(event);
      options.recorded?.(event);
    },
  });
  const claimed = new MembershipFile(dataDir).read();
  // Before it serves: what is in the folder may be another organization's.
  if (claimed.ok && claimed.value !== null) controller.belongsTo(claimed.value);
  controller.start();
  line.start(controller);
  const endHeartbeat = startHeartbeat(options.watchdog ?? systemdWatchdog(), () => controller.isWell());
  return {
    controller,
    time,
    digestKey: digestKey.key,
    digestKeyKeptIn: keySource.keptIn,
    upstream: line.upstream,
    claiming: line.claiming,
    membership: line.membership,
    stop: () => {
      endHeartbeat();
      const gone = line.stop();
      controller.stop();
      time.save();
      return gone;
    },
  };
};
