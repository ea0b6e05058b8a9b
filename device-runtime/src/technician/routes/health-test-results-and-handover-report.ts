import type {
  TechnicianHardwareTestsResponse,
  HardwareTestRecord,
} from '@lintel/wire-protocol/technician/hardware-tests';
import { hardwareTestResultRequestSchema } from '@lintel/wire-protocol/technician/hardware-tests';
import { checkCurrentHealth } from '../health-report/check-current-health.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import { buildHandoverReport } from '../health-report/handover-report.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';
import type { HardwareTestObservation } from '../hardware-test-log.ts';

/** The current observation of a tested part; null for parts that were observed in the test. */
const observationOf = (parts: TechnicianApiDependencies, id: string): HardwareTestObservation | null => {
  const { technician } = parts.controller;
  const [kind = '', ...rest] = id.split(':');
  const name = rest.join(':');
  if (kind === 'input' && technician.lines().some(line => line.direction === 'input' && line.name === name)) {
    const level = technician.level(name);
    return { ok: level !== 'unknown', what: level };
  }
  if (kind !== 'health') return null;
  const found = checkCurrentHealth(parts).checks.find(check => check.id === name);
  return found === undefined ? null : { ok: found.state === 'ok', what: found.found };
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
      return parts.testLog.recordResult(judgement, session.technician, observationOf(parts, judgement.id));
    },
  },
  { method: 'GET', path: '/report', handle: ({ session }) => buildHandoverReport(parts, session.technician) },
];
