import {
  simulatorTapCardRequestSchema,
  simulatorSetClockOffsetRequestSchema,
  simulatorSetDiskFullRequestSchema,
  simulatorOpenWithPhoneRequestSchema,
  simulatorOperateDoorByHandRequestSchema,
  simulatorVirtualActionRequestSchema,
  simulatorVirtualSignalRequestSchema,
  simulatorSetHousingRequestSchema,
  simulatorPressKeysRequestSchema,
  simulatorSetLinkModeRequestSchema,
  simulatorTapPersonRequestSchema,
  simulatorSetPowerRequestSchema,
  simulatorPlayScenarioRequestSchema,
  simulatorSetSupplyRequestSchema,
  simulatorSetLinkGroupModeRequestSchema,
} from '@lintel/wire-protocol/simulator/simulator-api-requests';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import type * as z from 'zod';
import type { DemoDoorPlan } from '../controllers/demo-controller-plan-types-and-part-names.ts';
import type { DemoController } from '../controllers/demo-controller.ts';
import type { Demo } from '../demo/demo-orchestrator.ts';
import { createDemoPeople } from '../demo/demo-device-plans-and-people.ts';
import type { ScenarioPlayer } from './scenario-player.ts';
import { SimulatorApiError } from './local-origin-check-and-json-body.ts';

export interface PageCommandContext {
  readonly demo: Demo;
  readonly player: ScenarioPlayer;
}

/** Returns null on success, otherwise the reason for the failure. */
type PageCommand = (context: PageCommandContext, key: string, body: unknown) => Promise<string | null>;

const parseBody = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = parseWithSchema(schema, body);
  if (parsed.ok) return parsed.value;
  const [first] = parsed.problems;
  throw new SimulatorApiError(400, 'invalid_request', `${first?.path ?? ''} ${first?.message ?? 'is invalid'}`.trim(), {
    field: first?.path ?? '',
  });
};

const hasField = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field);

const notFound = (what: string): SimulatorApiError => new SimulatorApiError(404, 'not_found', `Not found: ${what}`);

const controllerOf = ({ demo }: PageCommandContext, key: string): DemoController => {
  const found = demo.controllers.find(({ plan }) => plan.key === key);
  if (found === undefined) throw notFound(`controller ${key}`);
  return found;
};

const controllerCommand =
  <S extends z.ZodType>(
    schema: S,
    act: (controller: DemoController, body: z.output<S>) => Promise<string | null>,
  ): PageCommand =>
  (context, key, body) =>
    act(controllerOf(context, key), parseBody(schema, body));

const switchPower = async (controller: DemoController, { on }: { readonly on: boolean }): Promise<string | null> => {
  if (on) return controller.switchOn();
  await controller.cutPower();
  return null;
};

const tap: PageCommand = async (context, key, body) => {
  const controller = controllerOf(context, key);
  if (hasField(body, 'card')) return controller.sendCommand(parseBody(simulatorTapCardRequestSchema, body));
  const { person: owner, with: what, station } = parseBody(simulatorTapPersonRequestSchema, body);
  const person = createDemoPeople(Date.now()).find(candidate => candidate.key === owner);
  if (person === undefined) throw notFound(`person ${owner}`);
  const credential = what === 'card' ? person.card : context.demo.credentialOf(owner, what);
  if (credential === null) throw notFound(`${what} of ${person.name}`);
  return controller.sendCommand({ [what]: credential, station });
};

const doorOf = ({ demo }: PageCommandContext, key: string): { controller: DemoController; door: DemoDoorPlan } => {
  for (const controller of demo.controllers) {
    const door = controller.plan.doors.find(candidate => candidate.key === key);
    if (door !== undefined) return { controller, door };
  }
  throw notFound(`door ${key}`);
};

const moveDoor: PageCommand = async (context, key, body) => {
  const { does } = parseBody(simulatorOperateDoorByHandRequestSchema, body);
  const { controller, door } = doorOf(context, key);
  return controller.moveDoor(door, does);
};

const openWithPhone: PageCommand = async (context, key, body) => {
  const { person, distance_m } = parseBody(simulatorOpenWithPhoneRequestSchema, body);
  const { controller, door } = doorOf(context, key);
  const phone = await context.demo.bluetoothPhoneOf(person);
  if (phone === null) throw notFound(`phone of ${person}`);
  return controller.openWithPhone(door, { ...phone, distance_m });
};

const performVirtualAction: PageCommand = async ({ demo: { virtualDevices } }, key, body) => {
  const { gadget_id, action_id } = parseBody(simulatorVirtualActionRequestSchema, body);
  if (!virtualDevices.has(key, gadget_id)) throw notFound(`gadget ${gadget_id} of ${key}`);
  return virtualDevices.perform(gadget_id, action_id);
};

const sendVirtualSignal: PageCommand = async ({ demo: { virtualDevices } }, key, body) => {
  const { gadget_id, signal_id } = parseBody(simulatorVirtualSignalRequestSchema, body);
  if (!virtualDevices.has(key, gadget_id)) throw notFound(`gadget ${gadget_id} of ${key}`);
  return virtualDevices.sendSignal(gadget_id, signal_id);
};

const switchLinks: PageCommand = async ({ demo }, _, body) => {
  const request = hasField(body, 'line')
    ? parseBody(simulatorSetLinkModeRequestSchema, body)
    : parseBody(simulatorSetLinkGroupModeRequestSchema, body);
  if (!demo.links.switchTo(request)) throw notFound('link');
  return null;
};

const playScenario: PageCommand = async ({ player }, key, body) => {
  parseBody(simulatorPlayScenarioRequestSchema, body);
  if (!player.has(key)) throw notFound(`scenario ${key}`);
  return player.play(key);
};

/** The POST requests of the page: `/api/COLLECTION/KEY/COMMAND`, or `/api/COLLECTION` without a key. */
export const simulatorPageCommands: Readonly<Record<string, PageCommand>> = {
  'controllers/keys': controllerCommand(simulatorPressKeysRequestSchema, (controller, body) =>
    controller.sendCommand(body),
  ),
  'controllers/tap': tap,
  'controllers/power': controllerCommand(simulatorSetPowerRequestSchema, switchPower),
  'controllers/supply': controllerCommand(simulatorSetSupplyRequestSchema, (controller, body) =>
    controller.changeSupply(body),
  ),
  'controllers/clock': controllerCommand(simulatorSetClockOffsetRequestSchema, (controller, { stepped_ms }) =>
    controller.stepClock(stepped_ms),
  ),
  'controllers/disk': controllerCommand(simulatorSetDiskFullRequestSchema, (controller, { full }) =>
    controller.fillDisk(full),
  ),
  'controllers/housing': controllerCommand(simulatorSetHousingRequestSchema, (controller, { open }) =>
    controller.moveHousing(open),
  ),
  'doors/hand': moveDoor,
  'doors/phone': openWithPhone,
  'virtual_devices/action': performVirtualAction,
  'virtual_devices/signal': sendVirtualSignal,
  lines: switchLinks,
  'scenarios/play': playScenario,
};
