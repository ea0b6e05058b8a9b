import { join } from 'node:path';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { DemoPerson } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import type { DemoControllerPlan, DemoDoorPlan } from '../controllers/demo-controller-plan-types-and-part-names.ts';
import type { TrackedDevice } from '../activity/event-summary.ts';
import type { DemoVirtualDevicePlan } from '../bridge/simulator-virtual-devices.ts';
import {
  demoInputCodes,
  buildDemoProfilePath,
  demoVirtualDevices,
  demoVirtualGadgets,
} from './demo-hotel-definition.ts';
import type { DemoIds } from './seed-demo-hotel-and-logins.ts';
import {
  describeStay,
  listDoorsOfStay,
  demoEmployees,
  type DemoCredentialHolder,
  demoRooms,
  demoStays,
} from './demo-people.ts';

const controllers = [
  { key: 'front', name: 'Front door', profile: 'front-door', upstream: 'bridge', doors: ['front-door', 'garage'] },
  {
    key: 'corridor',
    name: 'First floor',
    profile: 'corridor',
    upstream: 'gateway',
    doors: demoRooms.map(room => `door-${room}`),
  },
] as const;

const doorPlans = (profile: 'front-door' | 'corridor', keys: readonly string[], ids: DemoIds): DemoDoorPlan[] =>
  loadProfile(buildDemoProfilePath(profile)).gadgets.flatMap((gadget, index) => {
    const key = keys[index];
    if (gadget.kind !== 'door' || key === undefined) return [];
    const lines = { strike: gadget.strike, contact: gadget.contact!.input, exit: gadget.exit_button! };
    return [{ key, name: gadget.name, site: 'main', gadgetId: ids[key]!, code: demoInputCodes[key]!, lines }];
  });

export const createDemoControllerPlans = (dataDir: string, ids: DemoIds): DemoControllerPlan[] =>
  controllers.map(({ key, name, profile, upstream, doors }) => ({
    key,
    name,
    deviceId: ids[key]!,
    upstream,
    profileFile: buildDemoProfilePath(profile),
    dataDir: join(dataDir, key),
    logFile: join(dataDir, 'logs', `${key}.log`),
    doors: doorPlans(profile, doors, ids),
  }));

export const createDemoVirtualDevicePlans = (ids: DemoIds): DemoVirtualDevicePlan[] =>
  demoVirtualDevices.map(({ key, name, site }) => ({ key, name, site, deviceId: ids[key]! }));

/** Virtual devices in the list of activities. */
export const listTrackedVirtualDevices = (ids: DemoIds): TrackedDevice[] =>
  createDemoVirtualDevicePlans(ids).map(plan => ({
    ...plan,
    upstream: 'bridge',
    isVirtual: true,
    doors: demoVirtualGadgets
      .filter(({ device }) => device === plan.key)
      .map(({ key, name }) => ({ key, name, gadgetId: ids[key]! })),
  }));

/** Keys of the people with a phone. */
export const listPhoneOwners = (): readonly string[] =>
  [...demoStays, ...demoEmployees].filter(({ hasPhone }) => hasPhone === true).map(({ key }) => key);

const personOf = (
  { key, name, pin, card, hasPhone = false }: DemoCredentialHolder,
  about: string,
  doors: readonly string[],
): DemoPerson => ({ key, name, about, pin: pin ?? null, card: card ?? null, has_phone: hasPhone, doors });

export const createDemoPeople = (now: number): DemoPerson[] => [
  ...demoStays.map(stay => personOf(stay, describeStay(stay, now), listDoorsOfStay(stay))),
  ...demoEmployees.map(employee => personOf(employee, employee.about, employee.doors)),
];
