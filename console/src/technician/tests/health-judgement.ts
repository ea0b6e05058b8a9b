import type { HealthCheck } from '@lintel/wire-protocol/technician/health';
import type { TestJudgement } from '@lintel/wire-protocol/technician/tests';

const LONGEST_NOTE = 500;

/** What nobody knows has not passed. */
export const judgementOf = ({ id, state, title, found }: HealthCheck): TestJudgement => ({
  id: `health:${id}`,
  result: state === 'ok' ? 'passed' : state === 'unknown' ? 'skipped' : 'failed',
  note: `${title}: ${found}`.slice(0, LONGEST_NOTE),
});
