import type { TechnicianTests, TestEntry } from '@lintel/wire-protocol/technician/tests';
import { testJudgement } from '@lintel/wire-protocol/technician/tests';
import { currentHealth } from '../health-report/current-health.ts';
import { bodyAs } from '../http/http-errors.ts';
import { reportOf } from '../health-report/report.ts';
import type { Route } from '../http/route.ts';
import type { TechnicianParts } from '../technician-parts.ts';
import type { Sight } from '../test-log.ts';

/** What the controller sees right now of the thing that is judged; null where it was seen when it was tried. */
const sightOf = (parts: TechnicianParts, id: string): Sight | null => {
  const { technician } = parts.controller;
  const [kind = '', ...rest] = id.split(':');
  const name = rest.join(':');
  if (kind === 'input' && technician.lines().some(one => one.direction === 'input' && one.name === name)) {
    const level = technician.level(name);
    return { ok: level !== 'unknown', what: level };
  }
  if (kind !== 'health') return null;
  const found = currentHealth(parts).checks.find(one => one.id === name);
  return found === undefined ? null : { ok: found.state === 'ok', what: found.found };
};

/** What was tried, how it stands, and the paper that is left behind. */
export const handoverRoutes = (parts: TechnicianParts): Route[] => [
  { method: 'GET', path: '/health', handle: () => currentHealth(parts) },
  { method: 'GET', path: '/tests', handle: (): TechnicianTests => ({ data: [...parts.tests.list()] }) },
  {
    method: 'POST',
    path: '/tests',
    handle: ({ request, session }): TestEntry => {
      const judgement = bodyAs(testJudgement, request.body);
      return parts.tests.judge(judgement, session.technician, sightOf(parts, judgement.id));
    },
  },
  { method: 'GET', path: '/report', handle: ({ session }) => reportOf(parts, session.technician) },
];
