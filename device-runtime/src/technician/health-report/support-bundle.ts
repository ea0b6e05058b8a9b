import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import type { SupportBundle } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { withoutProofs } from '../../events/acting-technician.ts';
import { buildTechnicianStatus } from './controller-status-for-technicians.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const BUNDLED_EVENTS = 1_000;

export const toTechnicianEvent = (event: DeviceEvent): TechnicianEventResponse => ({
  ...withoutProofs(event),
  occurred_at: toDateTime(event.occurred_at),
});

/** Diagnostic data for support. Contains codes of rules, but no credentials. */
export const buildSupportBundle = (parts: TechnicianApiDependencies): SupportBundle => {
  const { controller, wall, sessions, throttle } = parts;
  const { technician } = controller;
  return {
    v: 1,
    made_at: toDateTime(wall.now()),
    versions: { lintel: parts.firmware, node: process.versions.node, platform: `${process.platform} ${process.arch}` },
    status: buildTechnicianStatus(parts),
    profile: parts.profile,
    input_rules: technician.rules.current.map(rule => ({ ...rule })),
    counters: {
      dropped_messages: parts.upstream()?.dropped ?? 0,
      waiting_events: controller.waitingEventCount(),
      sessions: sessions.count,
      wrong_setup_codes: throttle.wrongEntries,
      memory_bytes: process.memoryUsage.rss(),
    },
    clock_history: [...parts.clockHistory.list()],
    events: technician.newestEvents(BUNDLED_EVENTS).map(toTechnicianEvent),
    log: [...parts.logTail()],
  };
};
