import {
  checkChannelsAreUsedOnce,
  checkGpioLinesAreUsedOnce,
  checkPcscAndSimulatedBusesAreSingle,
  checkPartNamesAreUnique,
} from './bus-checks.ts';
import type { ProfileCrossCheck } from './cross-check-type-and-part-names.ts';
import {
  checkGadgetReferencesAreValid,
  checkInputsHaveOnePurpose,
  checkOtherGadgetsAreSimulated,
  checkPowerMatchesCapabilities,
} from './input-gadget-and-power-checks.ts';
import {
  checkModbusOutputsOfUnitAreAlike,
  checkModbusPulseCoilsExist,
  checkModbusReadsFitRequests,
} from './modbus-checks.ts';
import {
  checkHidRelaysAreUsedOnce,
  checkHeaderPinDevicesAreUsedOnce,
  checkSerialPortsAreUsedOnce,
  checkUsbKeyboardsAreUsedOnce,
} from './exclusive-device-checks.ts';
import { checkOutputsHaveOneOwner } from './output-owner-check.ts';
import {
  checkCapabilitiesMatchReaderUnits,
  checkReaderUnitsHaveParts,
  checkTimesAreConsistent,
} from './reader-unit-and-time-checks.ts';

/** Checks of the relations between the fields of a profile. */
export const profileCrossChecks: readonly ProfileCrossCheck[] = [
  checkPartNamesAreUnique,
  checkGpioLinesAreUsedOnce,
  checkChannelsAreUsedOnce,
  checkModbusPulseCoilsExist,
  checkModbusOutputsOfUnitAreAlike,
  checkModbusReadsFitRequests,
  checkSerialPortsAreUsedOnce,
  checkUsbKeyboardsAreUsedOnce,
  checkHidRelaysAreUsedOnce,
  checkHeaderPinDevicesAreUsedOnce,
  checkPcscAndSimulatedBusesAreSingle,
  checkReaderUnitsHaveParts,
  checkOutputsHaveOneOwner,
  checkInputsHaveOnePurpose,
  checkGadgetReferencesAreValid,
  checkCapabilitiesMatchReaderUnits,
  checkOtherGadgetsAreSimulated,
  checkPowerMatchesCapabilities,
  checkTimesAreConsistent,
];
