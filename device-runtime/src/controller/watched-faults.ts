import type { InputLines, LineLevel } from '@lintel/drivers/ports/input-lines';
import type { TimeLook } from '../clock/wall-clock.ts';
import type { ControllerFaults } from '../faults/fault-registry.ts';
import type { SnapshotAge } from '../snapshot/snapshot-age.ts';

export const reportClockFaults = (faults: ControllerFaults, look: TimeLook): void => {
  if (look !== 'refused') faults.clear('clock_refused');
  else faults.raise('clock_refused', "the system's clock says a time that is not believed");
  if (look !== 'unsaved') faults.clear('state:time_floor');
  else faults.raise('state:time_floor', 'time_floor could not be saved');
};

export const reportSnapshotAge = (faults: ControllerFaults, age: SnapshotAge): void => {
  if (!age.isOld) faults.clear('slice_old');
  else faults.raise('slice_old', 'the bridge has not confirmed for 7 days who may enter');
  if (age.isOfUse) faults.clear('slice_refused');
  else faults.raise('slice_refused', 'who may enter was not confirmed for too long: nobody is let in');
};

/** A board that is away says nothing of the housing: what was told of it before holds, and the board has a fault itself. */
export const reportTamper = (faults: ControllerFaults, inputs: InputLines, input: string, level: LineLevel): void => {
  if (level === 'inactive') faults.clear('tamper');
  else if (level === 'active') faults.raise('tamper', 'the housing is open');
  else if (inputs.isCut(input)) faults.raise('tamper', 'the tamper line is cut');
};
