import {
  cardTapped,
  clockStepped,
  diskFilled,
  doorHand,
  housingMoved,
  keysPressed,
  lineSwitched,
  personTapped,
  powerSwitched,
  scenarioPlayed,
  supplyChanged,
  switchTurned,
} from '@lintel/wire-protocol/simulator/requests';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import type * as z from 'zod';
import type { DoorController } from '../controllers/door-controller.ts';
import type { Demo } from '../demo/demo.ts';
import { peopleOf } from '../demo/hotel-plan.ts';
import type { ScenarioPlayer } from './scenario-player.ts';
import { HttpError } from './request-guard.ts';

export interface OrderParts {
  readonly demo: Demo;
  readonly player: ScenarioPlayer;
}

/** Returns why it cannot be done now, or null. */
type Order = (parts: OrderParts, key: string, body: unknown) => Promise<string | null>;

const checked = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = parseWith(schema, body);
  if (parsed.ok) return parsed.value;
  const [first] = parsed.problems;
  throw new HttpError(400, 'invalid_request', `${first?.path ?? ''} ${first?.message ?? 'is wrong'}`.trim(), {
    field: first?.path ?? '',
  });
};

const says = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field);

const missing = (what: string): HttpError => new HttpError(404, 'not_found', `There is no ${what}`);

const controllerOf = ({ demo }: OrderParts, key: string): DoorController => {
  const found = demo.controllers.find(({ plan }) => plan.key === key);
  if (found === undefined) throw missing(`controller ${key}`);
  return found;
};

const atController =
  <S extends z.ZodType>(
    schema: S,
    act: (controller: DoorController, body: z.output<S>) => Promise<string | null>,
  ): Order =>
  (parts, key, body) =>
    act(controllerOf(parts, key), checked(schema, body));

const switchPower = async (controller: DoorController, { on }: { readonly on: boolean }): Promise<string | null> => {
  if (on) return controller.switchOn();
  await controller.cutPower();
  return null;
};

const tap: Order = async (parts, key, given) => {
  const controller = controllerOf(parts, key);
  if (says(given, 'card')) return controller.order(checked(cardTapped, given));
  const { person: owner, with: what, station } = checked(personTapped, given);
  const person = peopleOf(Date.now()).find(one => one.key === owner);
  if (person === undefined) throw missing(`person ${owner}`);
  const credential = what === 'card' ? person.card : parts.demo.phoneOf(owner);
  if (credential === null) throw missing(`${what} of ${person.name}`);
  return controller.order({ [what]: credential, station });
};

const moveDoor: Order = async ({ demo }, key, body) => {
  const { does } = checked(doorHand, body);
  for (const controller of demo.controllers) {
    const door = controller.plan.doors.find(one => one.key === key);
    if (door !== undefined) return controller.hand(door, does);
  }
  throw missing(`door ${key}`);
};

const switchLinks: Order = async ({ demo }, _, body) => {
  const order = says(body, 'line') ? checked(lineSwitched, body) : checked(switchTurned, body);
  if (!demo.links.switchTo(order)) throw missing('such link');
  return null;
};

const playScenario: Order = async ({ player }, key, body) => {
  checked(scenarioPlayed, body);
  if (!player.has(key)) throw missing(`scenario ${key}`);
  return player.play(key);
};

/** The POST requests of the page: `/api/COLLECTION/KEY/ORDER`, or `/api/COLLECTION` without a key. */
export const orders: Readonly<Record<string, Order>> = {
  'controllers/keys': atController(keysPressed, (one, body) => one.order(body)),
  'controllers/tap': tap,
  'controllers/power': atController(powerSwitched, switchPower),
  'controllers/supply': atController(supplyChanged, (one, body) => one.changeSupply(body)),
  'controllers/clock': atController(clockStepped, (one, { stepped_ms }) => one.stepClock(stepped_ms)),
  'controllers/disk': atController(diskFilled, (one, { full }) => one.fillDisk(full)),
  'controllers/housing': atController(housingMoved, (one, { open }) => one.moveHousing(open)),
  'doors/hand': moveDoor,
  lines: switchLinks,
  'scenarios/play': playScenario,
};
