/** What an alert rule watches. */
export const alertKinds = [
  'door_forced',
  'door_held_open',
  'device_offline',
  'many_denials',
  'device_fault',
  'low_battery',
  'device_claimed',
  'all_doors_access',
] as const;
export type AlertKind = (typeof alertKinds)[number];
