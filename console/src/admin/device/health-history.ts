import type { DeviceHealthRecord } from '@lintel/wire-protocol/admin/device-health-history';

/** A condition that lasted: the code of a fault, or null for a failure of mains power. */
export interface HealthProblemPeriod {
  readonly fault: string | null;
  readonly from: string;
  /** Null: it lasts. */
  readonly until: string | null;
}

const conditionsOf = ({ faults, mains_present }: DeviceHealthRecord): readonly (string | null)[] => [
  ...new Set(faults),
  ...(mains_present === false ? [null] : []),
];

/** A device without mains power by design has no power failures: it never had mains. */
const withoutBatteryDevices = (records: readonly DeviceHealthRecord[]): readonly DeviceHealthRecord[] =>
  records.some(({ mains_present }) => mains_present === true)
    ? records
    : records.map(record => ({ ...record, mains_present: null }));

/** When each fault and each power failure lasted, newest first. */
export const listHealthProblemPeriods = (records: readonly DeviceHealthRecord[]): readonly HealthProblemPeriod[] => {
  const begun = new Map<string | null, string>();
  const ended: HealthProblemPeriod[] = [];
  for (const record of withoutBatteryDevices(records)) {
    const present = conditionsOf(record);
    for (const [fault, from] of begun) {
      if (present.includes(fault)) continue;
      ended.push({ fault, from, until: record.at });
      begun.delete(fault);
    }
    for (const fault of present) if (!begun.has(fault)) begun.set(fault, record.at);
  }
  const lasting = [...begun].map(([fault, from]): HealthProblemPeriod => ({ fault, from, until: null }));
  return [...ended, ...lasting].toSorted((a, b) => b.from.localeCompare(a.from));
};

export interface BatteryLevel {
  readonly at: number;
  readonly percent: number;
}

/** The battery levels in order of time. */
export const listBatteryLevels = (records: readonly DeviceHealthRecord[]): readonly BatteryLevel[] =>
  records.flatMap(({ at, battery_percent }) =>
    battery_percent === null ? [] : [{ at: Date.parse(at), percent: battery_percent }],
  );

/** The corners of a line in a box of 100 × 100: each level holds until the next one. */
export const toBatteryChartPoints = (levels: readonly BatteryLevel[], until: number): string => {
  const first = levels[0];
  if (first === undefined) return '';
  const width = Math.max(1, until - first.at);
  const x = (at: number): number => Math.round(((at - first.at) / width) * 1000) / 10;
  const corners = levels.flatMap(({ at, percent }, index) => [
    `${x(at)},${100 - percent}`,
    `${x(levels[index + 1]?.at ?? until)},${100 - percent}`,
  ]);
  return corners.join(' ');
};
