import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import type { SupportBundle } from '@lintel/wire-protocol/technician/status';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { statusOf } from './status.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const BUNDLED_EVENTS = 1_000;

export const asTechnicianEvent = ({ occurred_at, ...event }: DeviceEvent): TechnicianEvent => ({
  ...event,
  occurred_at: dateTimeOf(occurred_at),
});

/** What somebody far away needs to understand this door. Codes of rules are no secrets; everything that opens a door is. */
export const supportBundleOf = (parts: TechnicianParts): SupportBundle => {
  const { controller, wall, sessions, throttle } = parts;
  const { technician } = controller;
  return {
    v: 1,
    made_at: dateTimeOf(wall.now()),
    versions: { lintel: parts.firmware, node: process.versions.node, platform: `${process.platform} ${process.arch}` },
    status: statusOf(parts),
    profile: parts.profile,
    input_rules: technician.rules.inForce.map(rule => ({ ...rule })),
    counters: {
      dropped_messages: parts.upstream()?.dropped ?? 0,
      waiting_events: controller.waitingEvents(),
      sessions: sessions.count,
      wrong_setup_codes: throttle.wrongEntries,
      memory_bytes: process.memoryUsage.rss(),
    },
    clock_history: [...parts.clockHistory.list()],
    events: technician.newestEvents(BUNDLED_EVENTS).map(asTechnicianEvent),
    log: [...parts.logTail()],
  };
};
