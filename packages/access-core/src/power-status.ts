/** Null: unknown, because nothing measures it. */
export interface PowerStatus {
  readonly mains_present: boolean | null;
  readonly battery_present: boolean | null;
  readonly battery_charging: boolean | null;
  /** 0 to 100. */
  readonly battery_percent: number | null;
}

export interface PowerCapabilities {
  readonly mains: boolean;
  readonly battery: boolean;
  readonly battery_rechargeable: boolean;
}

export const unknownPowerStatus: PowerStatus = {
  mains_present: null,
  battery_present: null,
  battery_charging: null,
  battery_percent: null,
};

/** Removes what the product cannot have, and what contradicts itself. */
export const limitPowerStatusToCapabilities = (capabilities: PowerCapabilities, measured: PowerStatus): PowerStatus => {
  const mains_present = capabilities.mains ? measured.mains_present : false;
  const battery_present = capabilities.battery ? measured.battery_present : false;
  const cannotCharge = battery_present === false || mains_present === false || !capabilities.battery_rechargeable;
  return {
    mains_present,
    battery_present,
    battery_charging: cannotCharge ? false : measured.battery_charging,
    battery_percent: battery_present === false ? null : measured.battery_percent,
  };
};

/** The status of a running device: one of the two supplies is there, so without a battery it is mains, and vice versa. */
export const inferPowerOfRunningDevice = (capabilities: PowerCapabilities, measured: PowerStatus): PowerStatus => {
  const known = limitPowerStatusToCapabilities(capabilities, measured);
  if (known.battery_present === false && known.mains_present === null) return { ...known, mains_present: true };
  if (known.mains_present === false && known.battery_present === null) return { ...known, battery_present: true };
  return known;
};

/** A cell is empty and full at these voltages. Linear in between, which is enough to warn in time. */
export const computeBatteryPercent = (millivolts: number, { empty_mv, full_mv }: BatteryVoltageRange): number =>
  Math.round(Math.min(100, Math.max(0, ((millivolts - empty_mv) / (full_mv - empty_mv)) * 100)));

export interface BatteryVoltageRange {
  readonly empty_mv: number;
  readonly full_mv: number;
}
