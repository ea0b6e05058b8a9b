import type { HealthCheck } from '@lintel/wire-protocol/technician/health';
import type { HardwareTestResultRequest } from '@lintel/wire-protocol/technician/hardware-tests';

const MAX_NOTE_LENGTH = 500;

/** Null for a check without evidence, which counts as not run. */
export const toHardwareTestResultRequest = ({
  id,
  state,
  title,
  found,
}: HealthCheck): HardwareTestResultRequest | null =>
  state === 'unknown'
    ? null
    : {
        id: `health:${id}`,
        result: state === 'ok' ? 'passed' : 'failed',
        note: `${title}: ${found}`.slice(0, MAX_NOTE_LENGTH),
      };
