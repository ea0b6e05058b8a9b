import {
  checkBusSettings,
  checkChannelsAreUsedOnce,
  checkDevicesAreUsedOnce,
  checkPartNamesAreUnique,
} from './bus-checks.ts';
import type { ProfileCrossCheck } from './cross-check-type-and-part-names.ts';
import {
  checkGadgetReferencesAreValid,
  checkInputsHaveOnePurpose,
  checkOtherGadgetsAreSimulated,
  checkPowerMatchesCapabilities,
} from './input-gadget-and-power-checks.ts';
import { checkOutputsHaveOneOwner } from './output-owner-check.ts';
import {
  checkCapabilitiesMatchReaderUnits,
  checkReaderUnitsHaveParts,
  checkTimesAreConsistent,
} from './reader-unit-and-time-checks.ts';

/** Checks of the relations between the fields of a profile. */
export const profileCrossChecks: readonly ProfileCrossCheck[] = [
  checkPartNamesAreUnique,
  checkDevicesAreUsedOnce,
  checkChannelsAreUsedOnce,
  checkBusSettings,
  checkReaderUnitsHaveParts,
  checkOutputsHaveOneOwner,
  checkInputsHaveOnePurpose,
  checkGadgetReferencesAreValid,
  checkCapabilitiesMatchReaderUnits,
  checkOtherGadgetsAreSimulated,
  checkPowerMatchesCapabilities,
  checkTimesAreConsistent,
];
