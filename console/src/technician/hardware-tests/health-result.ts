import type { HealthCheck } from '@lintel/wire-protocol/technician/health';
import type { TestResultRequest } from '@lintel/wire-protocol/technician/tests';

const MAX_NOTE_LENGTH = 500;

export const toHealthTestResult = ({ id, state, title, found }: HealthCheck): TestResultRequest => ({
  id: `health:${id}`,
  result: state === 'ok' ? 'passed' : state === 'unknown' ? 'skipped' : 'failed',
  note: `${title}: ${found}`.slice(0, MAX_NOTE_LENGTH),
});
