import type { TechnicianHealthResponse } from '@lintel/wire-protocol/technician/health';
import { checkHealth } from '../health/check-health.ts';
import { buildTechnicianStatus } from './controller-status-for-technicians.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

export const checkCurrentHealth = (parts: TechnicianApiDependencies): TechnicianHealthResponse =>
  checkHealth({
    now: parts.wall.now(),
    status: buildTechnicianStatus(parts),
    throughGateway: parts.upstream()?.throughGateway ?? false,
    clockChanges: [...parts.clockHistory.list()],
    readerSignals: parts.controller.technician.readerSignals(),
    faultKinds: new Map(
      parts.controller.faults().flatMap(({ code, kind }) => (kind === null ? [] : [[code, kind] as const])),
    ),
  });
