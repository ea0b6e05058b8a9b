import { join } from 'node:path';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { Person } from '@lintel/wire-protocol/simulator/world';
import type { ControllerPlan, DoorPlan } from '../controllers/controller-plan.ts';
import { inputCodes, profileFile } from './demo-hotel.ts';
import { aboutStay, doorsOfStay, employees, rooms, stays } from './guests.ts';

type Ids = Readonly<Record<string, string>>;

const controllers = [
  { key: 'front', name: 'Front door', profile: 'front-door', upstream: 'bridge', doors: ['front-door', 'garage'] },
  {
    key: 'corridor',
    name: 'First floor',
    profile: 'corridor',
    upstream: 'gateway',
    doors: rooms.map(room => `door-${room}`),
  },
] as const;

const doorPlans = (profile: 'front-door' | 'corridor', keys: readonly string[], ids: Ids): DoorPlan[] =>
  loadProfile(profileFile(profile)).gadgets.flatMap((gadget, index) => {
    const key = keys[index];
    if (gadget.kind !== 'door' || key === undefined) return [];
    const lines = { strike: gadget.strike, contact: gadget.contact!.input, exit: gadget.exit_button! };
    return [{ key, name: gadget.name, site: 'main', gadgetId: ids[key]!, code: inputCodes[key]!, lines }];
  });

/** The controllers of the demonstration, each on the line that leads to its broker. */
export const controllerPlans = (
  dataDir: string,
  ids: Ids,
  lineUrls: Readonly<Record<'front' | 'corridor', string>>,
): ControllerPlan[] =>
  controllers.map(({ key, name, profile, upstream, doors }) => ({
    key,
    name,
    deviceId: ids[key]!,
    siteId: ids['main']!,
    upstream,
    profileFile: profileFile(profile),
    dataDir: join(dataDir, key),
    logFile: join(dataDir, 'logs', `${key}.log`),
    lineUrl: lineUrls[key],
    doors: doorPlans(profile, doors, ids),
  }));

/** Whose phones need a member token. */
export const phoneOwners = (): readonly string[] =>
  [...stays, ...employees].filter(({ hasPhone }) => hasPhone === true).map(({ key }) => key);

export const peopleOf = (now: number): Person[] => [
  ...stays.map(stay => ({
    key: stay.key,
    name: stay.name,
    about: aboutStay(stay, now),
    pin: stay.pin,
    card: stay.card ?? null,
    has_phone: stay.hasPhone === true,
    doors: doorsOfStay(stay),
  })),
  ...employees.map(({ key, name, about, pin, card, hasPhone, doors }) => ({
    key,
    name,
    about,
    pin: pin ?? null,
    card: card ?? null,
    has_phone: hasPhone === true,
    doors,
  })),
];
