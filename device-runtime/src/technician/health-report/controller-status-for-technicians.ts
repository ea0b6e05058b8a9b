import { statfsSync } from 'node:fs';
import type { Instant } from '@lintel/access-core/instant';
import { type DateTime, toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const timeOrNull = (at: Instant | null): DateTime | null => (at === null ? null : toDateTime(at));

const diskOf = (folder: string): TechnicianStatusResponse['disk'] => {
  try {
    const { bsize, bavail, blocks } = statfsSync(folder);
    return { free_bytes: bsize * bavail, total_bytes: bsize * blocks };
  } catch {
    return null;
  }
};

const linesOf = ({
  controller: { technician },
}: TechnicianApiDependencies): Pick<TechnicianStatusResponse, 'inputs' | 'outputs'> => {
  const lines = technician.lines();
  return {
    inputs: lines
      .filter(({ direction }) => direction === 'input')
      .map(({ name, role, gadget_id }) => ({ input: name, level: technician.level(name), role, gadget_id })),
    outputs: lines
      .filter(({ direction }) => direction === 'output')
      .map(({ name, role, gadget_id }) => ({ output: name, role, gadget_id, can_pulse: gadget_id === null })),
  };
};

const apiGadgetsOf = ({ controller }: TechnicianApiDependencies): TechnicianStatusResponse['gadgets'] => {
  const states = new Map(controller.gadgetStates().map(state => [state.gadget_id, state]));
  return controller.technician.gadgets.map(({ id, name, actions }) => {
    const state = states.get(id);
    return {
      gadget_id: id,
      name,
      actions: actions.map(action => ({ id: action.id, name: action.name })),
      state_id: state?.state_id ?? null,
      since: timeOrNull(state?.since ?? null),
    };
  });
};

/** The status of the controller for technicians. */
export const buildTechnicianStatus = (parts: TechnicianApiDependencies): TechnicianStatusResponse => {
  const { controller, wall } = parts;
  const { technician } = controller;
  const owner = parts.owner();
  const upstream = parts.upstream();
  const { revision } = technician;
  const contact = controller.lastContact;
  return {
    product_id: parts.productId,
    firmware: parts.firmware,
    name: parts.certificate.name,
    claimed: owner !== null || controller.wasClaimed,
    device_id: owner?.device_id ?? controller.snapshot.deviceId,
    organization_id: owner?.organization_id ?? null,
    site_id: owner?.site_id ?? controller.snapshot.siteId,
    device_name: controller.snapshot.deviceName,
    site_name: controller.snapshot.siteName,
    site_time_zone: controller.snapshot.siteTimeZone,
    uptime_ms: parts.clockHistory.uptimeMs,
    upstream: {
      connected: upstream?.connected ?? false,
      online: upstream?.online ?? false,
      via: upstream?.via ?? null,
      since: timeOrNull(upstream?.since ?? null),
      last_contact: timeOrNull(upstream?.last_contact ?? null),
    },
    slice: revision === null ? null : { revision, age_ms: contact === null ? null : Math.max(0, wall.now() - contact) },
    waiting_events: controller.waitingEventCount(),
    faults: controller.faults().map(({ code, message, since: at }) => ({ code, message, since: toDateTime(at) })),
    clock: { time: toDateTime(wall.now()), trusted: wall.isTrusted(), source: wall.source() },
    gadgets: apiGadgetsOf(parts),
    ...linesOf(parts),
    stations: [...technician.stations()],
    power: parts.power(),
    rules: { pending: technician.rules.isPending, conflict: technician.rules.conflict !== null },
    digest_key_kept_in: parts.digestKeyStorage,
    disk: diskOf(parts.dataDir),
  };
};
