import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import { healthOf } from '../health/health.ts';
import { statusOf } from './status.ts';
import type { TechnicianParts } from '../technician-parts.ts';

export const currentHealth = (parts: TechnicianParts): TechnicianHealth =>
  healthOf({
    now: parts.wall.now(),
    status: statusOf(parts),
    throughGateway: parts.upstream()?.throughGateway ?? false,
    clockChanges: [...parts.clockHistory.list()],
    readerSignals: parts.controller.technician.readerSignals(),
    faultKinds: new Map(
      parts.controller.faults().flatMap(({ code, kind }) => (kind === null ? [] : [[code, kind] as const])),
    ),
  });
