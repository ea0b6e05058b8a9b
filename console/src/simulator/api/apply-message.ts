import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type {
  SimulatorLiveMessage,
  SimulatorState,
} from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';

const MAX_EVENTS = 200;
const MAX_RUNS = 10;

/** Replaces an item in its place, or appends it. */
const upsert = <T>(list: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] =>
  list.some(isSame) ? list.map(other => (isSame(other) ? item : other)) : [...list, item];

/** When the event was first received. Its own time may be wrong after a change of the controller's clock. */
const receivedAt = ({ at, way }: SimulatorActivityEntry): number =>
  Date.parse(way.door ?? way.gateway ?? way.bridge ?? way.webhook ?? at);

const newestFirst = (activity: readonly SimulatorActivityEntry[]): readonly SimulatorActivityEntry[] =>
  activity.toSorted((a, b) => receivedAt(b) - receivedAt(a)).slice(0, MAX_EVENTS);

/** Applies a message of the simulator. Returns null before the first full state. */
export const applySimulatorMessage = (
  world: SimulatorState | null,
  message: SimulatorLiveMessage,
): SimulatorState | null => {
  if (message.type === 'world') return message.world;
  if (world === null) return null;
  switch (message.type) {
    case 'controller': {
      const { controller } = message;
      return { ...world, controllers: upsert(world.controllers, controller, ({ key }) => key === controller.key) };
    }
    case 'gateway':
      return { ...world, gateway: message.gateway };
    case 'door': {
      const { door } = message;
      return { ...world, doors: upsert(world.doors, door, ({ key }) => key === door.key) };
    }
    case 'virtual_device': {
      const { virtual_device: device } = message;
      const virtual_devices = upsert(world.virtual_devices, device, ({ key }) => key === device.key);
      return { ...world, virtual_devices };
    }
    case 'line': {
      const { line } = message;
      return { ...world, lines: upsert(world.lines, line, ({ key }) => key === line.key) };
    }
    case 'activity': {
      const { entry } = message;
      const others = world.activity.filter(({ id }) => id !== entry.id);
      return { ...world, activity: newestFirst([entry, ...others]) };
    }
    case 'run': {
      const { run } = message;
      return { ...world, runs: upsert(world.runs, run, ({ id }) => id === run.id).slice(-MAX_RUNS) };
    }
    default:
      // A newer simulator may send types that this page does not know.
      return world;
  }
};
