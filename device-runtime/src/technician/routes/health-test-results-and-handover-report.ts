import type {
  TechnicianHardwareTestsResponse,
  HardwareTestRecord,
} from '@lintel/wire-protocol/technician/hardware-tests';
import {
  type HardwareTestResultRequest,
  hardwareTestResultRequestSchema,
} from '@lintel/wire-protocol/technician/hardware-tests';
import { checkCurrentHealth } from '../health-report/check-current-health.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import { buildHandoverReport } from '../health-report/handover-report.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';
import type { HardwareTestObservation } from '../hardware-test-log.ts';

const observePower = ({ controller: { technician }, profile, power }: TechnicianApiDependencies) => {
  const inputs = Object.values(profile?.power ?? {}).filter(input => typeof input === 'string');
  if (inputs.length === 0) {
    const isPresent = power().battery_present === true;
    return { ok: isPresent, what: isPresent ? 'a battery is present' : 'no battery is present' };
  }
  const isChanged = inputs.some(input => technician.activity.isRecent(`input:${input}`));
  return { ok: isChanged, what: isChanged ? 'the power changed' : 'the power did not change' };
};

/** What the controller observed of this part; null if it did not observe it. */
const observationOf = (parts: TechnicianApiDependencies, id: string): HardwareTestObservation | null => {
  const { technician } = parts.controller;
  const isUsed = technician.activity.isRecent(id);
  const [kind = '', ...rest] = id.split(':');
  const name = rest.join(':');
  switch (kind) {
    case 'input': {
      const level = technician.level(name);
      return isUsed ? { ok: true, what: `changed, now ${level}` } : { ok: false, what: `no change, ${level}` };
    }
    case 'keypad':
      return isUsed ? { ok: true, what: 'keys were pressed' } : null;
    case 'rule':
      return isUsed ? { ok: true, what: 'used with a commissioning credential' } : null;
    case 'power':
      return observePower(parts);
    case 'health': {
      const found = checkCurrentHealth(parts).checks.find(check => check.id === name);
      return found === undefined ? null : { ok: found.state === 'ok', what: found.found };
    }
    default:
      return parts.testLog.observationOf(id);
  }
};

/** Tests that the controller takes part in. A technician may add others, such as `signage`. */
const observedKinds = ['gadget', 'output', 'feedback', 'reader', 'input', 'keypad', 'rule', 'power', 'health'];

/** A test that did not run must not be printed as passed. */
const rejectPassOfTestThatDidNotRun = (
  { id, result }: HardwareTestResultRequest,
  observation: HardwareTestObservation | null,
): void => {
  const isObserved = observedKinds.includes(id.split(':')[0]!);
  if (result !== 'passed' || !isObserved || observation?.ok === true) return;
  const why = observation === null ? 'it did not run' : observation.what;
  throw new TechnicianRequestError('conflict', `The test cannot pass: ${why}. Run it, or skip it`, {
    reason: 'not_run',
  });
};

/** Health, test results and the handover report. */
export const createHealthAndHandoverRoutes = (parts: TechnicianApiDependencies): TechnicianRoute[] => [
  { method: 'GET', path: '/health', handle: () => checkCurrentHealth(parts) },
  {
    method: 'GET',
    path: '/tests',
    handle: (): TechnicianHardwareTestsResponse => ({ data: [...parts.testLog.list()] }),
  },
  {
    method: 'POST',
    path: '/tests',
    handle: ({ request, session }): HardwareTestRecord => {
      const judgement = parseTechnicianRequestBody(hardwareTestResultRequestSchema, request.body);
      const observation = observationOf(parts, judgement.id);
      rejectPassOfTestThatDidNotRun(judgement, observation);
      return parts.testLog.recordResult(judgement, session.technician, observation);
    },
  },
  { method: 'GET', path: '/report', handle: ({ session }) => buildHandoverReport(parts, session.technician) },
];
