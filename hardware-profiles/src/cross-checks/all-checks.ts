import {
  channelsAreUsedOnce,
  linesAreUsedOnce,
  oneOfItsKind,
  partsHaveOneName,
  pulsesHaveACoil,
} from './bus-checks.ts';
import type { Check } from './check.ts';
import { gadgetsFitTogether, inputsMeanOneThing, othersAreSimulated } from './gadget-checks.ts';
import { keypadsAreTakenOnce, portsAreUsedOnce } from './plug-checks.ts';
import { outputsHaveOneOwner } from './output-checks.ts';
import { capabilitiesAgree, stationsHaveParts, timesFitTogether } from './station-checks.ts';

/** What the pieces of a profile demand of one another. */
export const crossChecks: readonly Check[] = [
  partsHaveOneName,
  linesAreUsedOnce,
  channelsAreUsedOnce,
  pulsesHaveACoil,
  portsAreUsedOnce,
  keypadsAreTakenOnce,
  oneOfItsKind,
  stationsHaveParts,
  outputsHaveOneOwner,
  inputsMeanOneThing,
  gadgetsFitTogether,
  capabilitiesAgree,
  othersAreSimulated,
  timesFitTogether,
];
