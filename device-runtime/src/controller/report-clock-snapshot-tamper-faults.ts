import type { InputLines, InputLineState } from '@lintel/drivers/interfaces';
import type { ClockPollResult } from '../clock/wall-clock-interface.ts';
import type { ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';
import type { ReplacementRecord } from '../state/replacement-record.ts';
import type { SnapshotAge } from '../snapshot/snapshot-age.ts';

export const reportClockFaults = (faults: ControllerFaultRegistry, result: ClockPollResult): void => {
  if (result !== 'refused') faults.clear('clock_refused');
  else faults.raise('clock_refused', 'The system clock shows an implausible time');
  if (result !== 'unsaved') faults.clear('state:time_floor');
  else faults.raise('state:time_floor', 'The current time could not be saved');
};

export const reportSnapshotAgeFaults = (faults: ControllerFaultRegistry, age: SnapshotAge): void => {
  if (!age.isOld) faults.clear('slice_old');
  else faults.raise('slice_old', 'The bridge has not confirmed the access data for 7 days');
  if (age.isValid) faults.clear('slice_refused');
  else faults.raise('slice_refused', 'The access data was not confirmed for too long. All access is denied');
};

export const reportReplacementFault = (faults: ControllerFaultRegistry, { message }: ReplacementRecord): void => {
  if (message === null) faults.clear('replaced');
  else faults.raise('replaced', message);
};

/** A disconnected board does not change the fault, because the state of the housing is unknown. */
export const reportTamperFault = (
  faults: ControllerFaultRegistry,
  inputs: InputLines,
  input: string,
  level: InputLineState,
): void => {
  if (level === 'inactive') faults.clear('tamper');
  else if (level === 'active') faults.raise('tamper', 'The housing is open');
  else if (inputs.isCut(input)) faults.raise('tamper', 'The tamper line is cut');
};
