import {
  channelsAreUsedOnce,
  linesAreUsedOnce,
  pcscAndSimulatedBusesAreSingle,
  partNamesAreUnique,
} from './bus-checks.ts';
import type { ProfileCrossCheck } from './cross-check.ts';
import {
  gadgetReferencesAreValid,
  inputsHaveOnePurpose,
  otherGadgetsAreSimulated,
  powerMatchesCapabilities,
} from './gadget-checks.ts';
import { modbusOutputsOfUnitAreAlike, modbusPulseCoilsExist, modbusReadsFitRequests } from './modbus-checks.ts';
import {
  hidRelaysAreUsedOnce,
  headerPinDevicesAreUsedOnce,
  portsAreUsedOnce,
  usbKeyboardsAreUsedOnce,
} from './port-checks.ts';
import { outputsHaveOneOwner } from './output-checks.ts';
import { capabilitiesMatchReaderUnits, readerUnitsHaveParts, timesAreConsistent } from './reader-unit-checks.ts';

/** Checks of the relations between the fields of a profile. */
export const profileCrossChecks: readonly ProfileCrossCheck[] = [
  partNamesAreUnique,
  linesAreUsedOnce,
  channelsAreUsedOnce,
  modbusPulseCoilsExist,
  modbusOutputsOfUnitAreAlike,
  modbusReadsFitRequests,
  portsAreUsedOnce,
  usbKeyboardsAreUsedOnce,
  hidRelaysAreUsedOnce,
  headerPinDevicesAreUsedOnce,
  pcscAndSimulatedBusesAreSingle,
  readerUnitsHaveParts,
  outputsHaveOneOwner,
  inputsHaveOnePurpose,
  gadgetReferencesAreValid,
  capabilitiesMatchReaderUnits,
  otherGadgetsAreSimulated,
  powerMatchesCapabilities,
  timesAreConsistent,
];
