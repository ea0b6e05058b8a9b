import type { ExclusiveUse, ProfilePath } from '@lintel/drivers/definition';
import { driverOf } from '@lintel/drivers/drivers';
import { useGauge } from '@lintel/drivers/settings';
import { type ProfileBusPart, collectBusParts } from '../collect-bus-parts.ts';
import type { ProfileFields } from '../profile-fields-schema.ts';
import type { ProfileCrossCheck, ReportProfileProblem } from './cross-check-type-and-part-names.ts';

const reportDuplicates = (parts: readonly ProfileBusPart[], what: string, report: ReportProfileProblem): void => {
  const seen = new Set<string>();
  for (const { name, at } of parts) {
    if (seen.has(name)) report(at, `${name} is already the name of another ${what}`);
    seen.add(name);
  }
};

export const checkPartNamesAreUnique: ProfileCrossCheck = ({ buses }, report) => {
  const { outputs, inputs, keypads, readers } = collectBusParts(buses);
  reportDuplicates(outputs, 'output', report);
  reportDuplicates(inputs, 'input', report);
  reportDuplicates(keypads, 'keypad', report);
  reportDuplicates(readers, 'reader', report);
};

interface ProfileUse extends ExclusiveUse {
  readonly user: string;
  readonly at: ProfilePath;
}

const exclusiveUses = ({ buses, power: { gauge } }: ProfileFields): readonly ProfileUse[] => [
  ...(gauge === undefined ? [] : useGauge(gauge)).map(use => ({
    ...use,
    user: 'the gauge',
    at: ['power', 'gauge', ...use.at],
  })),
  ...Object.entries(buses).flatMap(([name, bus]) =>
    (driverOf(bus).exclusive?.(bus) ?? []).map(use => ({
      ...use,
      user: `bus ${name}`,
      at: ['buses', name, ...use.at],
    })),
  ),
];

/** Lines, ports, addresses and devices that only one bus can use. */
export const checkDevicesAreUsedOnce: ProfileCrossCheck = (profile, report) => {
  const earlier: ProfileUse[] = [];
  for (const use of exclusiveUses(profile)) {
    const { resource, used, at } = use;
    const other = earlier.find(one => one.resource === resource && resource.overlaps(one.used, used));
    if (other !== undefined) report(at, resource.describe(used, other.user, other.at.join('.')));
    earlier.push(use);
  }
};

export const checkChannelsAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  for (const [name, bus] of Object.entries(buses)) {
    const seen = new Set<string>();
    for (const [channel, at] of driverOf(bus).channels?.(bus) ?? []) {
      if (seen.has(channel)) report(['buses', name, ...at], `${channel} is already used`);
      seen.add(channel);
    }
  }
};

/** The checks of each driver. */
export const checkBusSettings: ProfileCrossCheck = ({ buses }, report) => {
  for (const [name, bus] of Object.entries(buses))
    driverOf(bus).check?.(bus, (at, message) => report(['buses', name, ...at], message));
};
