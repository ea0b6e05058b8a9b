/* What the readers of the list need: profiles, the firmware, the simulator. */

export type {
  BluetoothRadioContext,
  BusContext,
  DriverContext,
  OpenedBus,
  OpenedRadio,
  SimulatedBusSettings,
  SimulatedPartsOpener,
} from './definition/context.ts';
export type { BusParts, ExclusiveUse, ProfilePath } from './definition/define-driver.ts';
export type { WiringRow, WiringRowKind } from './definition/wiring.ts';
