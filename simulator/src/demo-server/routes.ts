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
  type Tapped,
} from '@lintel/wire-protocol/simulator/requests';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import type * as z from 'zod';
import type { DoorController } from '../controllers/door-controller.ts';
import type { Demo } from '../demo/demo.ts';
import { peopleOf } from '../demo/hotel-plan.ts';
import type { ScenarioPlayer } from './scenario-player.ts';
import { Refusal } from './request-guard.ts';

export interface RouteParts {
  readonly demo: Demo;
  readonly player: ScenarioPlayer;
}

/** Answers why it cannot be done now, or null. */
type Act = (parts: RouteParts, key: string, body: unknown) => Promise<string | null>;

interface Route {
  readonly path: RegExp;
  readonly act: Act;
}

const checked = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = parseWith(schema, body);
  if (parsed.ok) return parsed.value;
  const [first] = parsed.problems;
  throw new Refusal(400, 'invalid_request', `${first?.path ?? ''} ${first?.message ?? 'is wrong'}`.trim(), {
    field: first?.path ?? '',
  });
};

const says = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field);

const missing = (what: string): Refusal => new Refusal(404, 'not_found', `There is no ${what}`);

const controllerOf = ({ demo }: RouteParts, key: string): DoorController => {
  const found = demo.controllers.find(({ plan }) => plan.key === key);
  if (found === undefined) throw missing(`controller ${key}`);
  return found;
};

const atController =
  <S extends z.ZodType>(
    schema: S,
    act: (controller: DoorController, body: z.output<S>) => Promise<string | null>,
  ): Act =>
  (parts, key, body) =>
    act(controllerOf(parts, key), checked(schema, body));

const switchPower = async (controller: DoorController, { on }: { readonly on: boolean }): Promise<string | null> => {
  if (on) return controller.switchOn();
  await controller.cutPower();
  return null;
};

const tapOf = (body: unknown): Tapped => (says(body, 'card') ? checked(cardTapped, body) : checked(personTapped, body));

const tap: Act = async (parts, key, given) => {
  const { demo } = parts;
  const controller = controllerOf(parts, key);
  const body = tapOf(given);
  const station = body.station === undefined ? {} : { station: body.station };
  if ('card' in body) return controller.order({ card: body.card, ...station });
  const person = peopleOf(Date.now()).find(({ key }) => key === body.person);
  if (person === undefined) throw missing(`person ${body.person}`);
  if (body.with === 'card') {
    if (person.card === null) throw missing(`card of ${person.name}`);
    return controller.order({ card: person.card, ...station });
  }
  const phone = demo.phoneOf(person.key);
  if (phone === null) throw missing(`phone of ${person.name}`);
  return controller.order({ phone, ...station });
};

const moveDoor: Act = async ({ demo }, key, body) => {
  const { does } = checked(doorHand, body);
  for (const controller of demo.controllers) {
    const door = controller.plan.doors.find(one => one.key === key);
    if (door !== undefined) return controller.hand(door, does);
  }
  throw missing(`door ${key}`);
};

const switchLines: Act = async ({ demo }, _, body) => {
  const order = says(body, 'line') ? checked(lineSwitched, body) : checked(switchTurned, body);
  if (!demo.lines.switchTo(order)) throw missing('such line');
  return null;
};

const playScenario: Act = async ({ player }, key, body) => {
  checked(scenarioPlayed, body);
  if (!player.has(key)) throw missing(`scenario ${key}`);
  return player.play(key);
};

/** Every order that a page can give, all of them by POST. */
export const routes: readonly Route[] = [
  { path: /^\/api\/controllers\/([\w-]+)\/keys$/, act: atController(keysPressed, (one, body) => one.order(body)) },
  { path: /^\/api\/controllers\/([\w-]+)\/tap$/, act: tap },
  { path: /^\/api\/controllers\/([\w-]+)\/power$/, act: atController(powerSwitched, switchPower) },
  {
    path: /^\/api\/controllers\/([\w-]+)\/supply$/,
    act: atController(supplyChanged, (one, body) => one.changeSupply(body)),
  },
  {
    path: /^\/api\/controllers\/([\w-]+)\/clock$/,
    act: atController(clockStepped, (one, { stepped_ms }) => one.stepClock(stepped_ms)),
  },
  {
    path: /^\/api\/controllers\/([\w-]+)\/disk$/,
    act: atController(diskFilled, (one, { full }) => one.fillDisk(full)),
  },
  {
    path: /^\/api\/controllers\/([\w-]+)\/housing$/,
    act: atController(housingMoved, (one, { open }) => one.moveHousing(open)),
  },
  { path: /^\/api\/doors\/([\w-]+)\/hand$/, act: moveDoor },
  { path: /^\/api\/lines$/, act: switchLines },
  { path: /^\/api\/scenarios\/([\w-]+)\/play$/, act: playScenario },
];
