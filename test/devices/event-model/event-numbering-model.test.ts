import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iterations } from '../../support/test-iterations-and-seed.ts';
import { ModelWorld } from './model-controller-gateway-and-bridge.ts';

const MAX_RECORDED = 4;
const MAX_CRASHES = 2;
const DEPTH = iterations({ sample: 6, all: 9 });

interface Action {
  readonly name: string;
  readonly isPossible: (world: ModelWorld, path: readonly Action[]) => boolean;
  readonly run: (world: ModelWorld) => void;
}

const countOf = (path: readonly Action[], name: string): number => path.filter(action => action.name === name).length;
const always = (): boolean => true;
const mayStop = (_: ModelWorld, path: readonly Action[]): boolean =>
  countOf(path, 'power cut') + countOf(path, 'kill') < MAX_CRASHES;

const actions: readonly Action[] = [
  {
    name: 'record',
    isPossible: (_, path) => countOf(path, 'record') < MAX_RECORDED,
    run: world => world.record(),
  },
  { name: 'send', isPossible: always, run: world => void world.send(true) },
  { name: 'send, lost on the way', isPossible: always, run: world => void world.send(false) },
  { name: 'reconnect', isPossible: always, run: world => world.reconnect() },
  { name: 'forward', isPossible: always, run: world => void world.forward('both') },
  { name: 'forward, ack to the gateway only', isPossible: always, run: world => void world.forward('gateway') },
  { name: 'forward, ack lost', isPossible: always, run: world => void world.forward('none') },
  { name: 'power cut', isPossible: mayStop, run: world => world.cutPower() },
  { name: 'kill', isPossible: mayStop, run: world => world.kill() },
  { name: 'maintain', isPossible: always, run: world => world.maintain() },
  {
    name: 'disk full',
    isPossible: ({ diskMode }) => diskMode === 'working',
    run: world => world.setDisk('full'),
  },
  {
    name: 'disk fails',
    isPossible: ({ diskMode }) => diskMode === 'working',
    run: world => world.setDisk('failed'),
  },
  {
    name: 'disk works',
    isPossible: ({ diskMode }) => diskMode !== 'working',
    run: world => world.setDisk('working'),
  },
];

const replay = (path: readonly Action[]): ModelWorld => {
  const world = new ModelWorld();
  for (const { run } of path) run(world);
  return world;
};

/** The state of a world, and what becomes of it when everything works again. The world is not used afterwards. */
const outcomeOf = (world: ModelWorld, path: readonly Action[]) => {
  const vanished = world.vanished();
  world.settle();
  return {
    path: path.map(({ name }) => name),
    vanished: [...vanished, ...world.vanished()],
    waiting: world.waiting,
    // A disk that fails cannot save which numbers are used.
    reportedLost: world.hasFailed ? [] : world.reportedLost.toSorted(),
    lost: world.hasFailed ? [] : world.lost().toSorted(),
  };
};

describe('numbering and acknowledgement of events, model', () => {
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    // A failing disk throws many errors, and their stack traces would take most of the time.
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it(`loses no event without a report in all interleavings of ${DEPTH} steps`, { timeout: 600_000 }, () => {
    const seen = new Set<string>();
    let level: (readonly Action[])[] = [[]];
    for (let depth = 0; depth < DEPTH; depth++) {
      const next: (readonly Action[])[] = [];
      for (const path of level) {
        const before = replay(path);
        for (const action of actions) {
          if (!action.isPossible(before, path)) continue;
          const extended = [...path, action];
          const world = replay(extended);
          const text = world.toString();
          if (seen.has(text)) continue;
          seen.add(text);
          next.push(extended);
          const outcome = outcomeOf(world, extended);
          expect(outcome).toEqual({ ...outcome, vanished: [], waiting: 0, reportedLost: outcome.lost });
        }
      }
      level = next;
    }
    expect(seen.size).toBeGreaterThan(500);
  });
});
