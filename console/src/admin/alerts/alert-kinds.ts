import type { AlertKind } from '@lintel/access-core/alerts/alert-conditions';

/** In the order of the form. */
export const alertKindsInFormOrder: readonly AlertKind[] = [
  'door_forced',
  'door_held_open',
  'device_offline',
  'many_denials',
  'device_fault',
  'low_battery',
];
