import type { Happening } from '@lintel/wire-protocol/simulator/happening';
import type { LiveMessage, World } from '@lintel/wire-protocol/simulator/world';

const MOST_HAPPENINGS = 200;
const MOST_RUNS = 10;

/** The newer one in the place of the older one, or at the end. */
const put = <T>(list: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] =>
  list.some(isSame) ? list.map(other => (isSame(other) ? item : other)) : [...list, item];

/** When it was seen first, which a controller whose clock was stepped does not know. */
const seenAt = ({ at, way }: Happening): number =>
  Date.parse(way.door ?? way.gateway ?? way.bridge ?? way.webhook ?? at);

const newestFirst = (happenings: readonly Happening[]): readonly Happening[] =>
  happenings.toSorted((a, b) => seenAt(b) - seenAt(a)).slice(0, MOST_HAPPENINGS);

/** What the page knows after it has heard this. Before the first whole picture it knows nothing. */
export const worldAfter = (world: World | null, message: LiveMessage): World | null => {
  if (message.type === 'world') return message.world;
  if (world === null) return null;
  switch (message.type) {
    case 'controller': {
      const { controller } = message;
      return { ...world, controllers: put(world.controllers, controller, ({ key }) => key === controller.key) };
    }
    case 'gateway':
      return { ...world, gateway: message.gateway };
    case 'door': {
      const { door } = message;
      return { ...world, doors: put(world.doors, door, ({ key }) => key === door.key) };
    }
    case 'line': {
      const { line } = message;
      return { ...world, lines: put(world.lines, line, ({ key }) => key === line.key) };
    }
    case 'happening': {
      const { happening } = message;
      const others = world.happenings.filter(({ id }) => id !== happening.id);
      return { ...world, happenings: newestFirst([happening, ...others]) };
    }
    case 'run': {
      const { run } = message;
      return { ...world, runs: put(world.runs, run, ({ id }) => id === run.id).slice(-MOST_RUNS) };
    }
    default:
      // A newer simulator may say more than this page knows.
      return world;
  }
};
