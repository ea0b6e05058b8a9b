import type { GatewayControllerStatus, GatewayStatusDocument } from './status-document-types.ts';

const controllerLine = (controller: GatewayControllerStatus, width: number): string => {
  const { name, device_id, connected, was_connected, since } = controller;
  const state = connected ? `connected since ${since}` : was_connected ? 'disconnected' : 'not through this gateway';
  return `  ${(name === '' ? device_id : name).padEnd(width)}  ${state}`;
};

/** The output of `lintel gateway status`. */
export const formatGatewayStatus = (status: GatewayStatusDocument): string => {
  const { upstream, clock, traffic, controllers, faults } = status;
  const width = Math.max(0, ...controllers.map(({ name, device_id }) => (name === '' ? device_id : name).length));
  const connectedCount = controllers.filter(({ connected }) => connected).length;
  const lines = [
    status.claimed
      ? `Gateway ${status.device_id}${status.site === null ? '' : ` of ${status.site}`}`
      : 'Gateway, not claimed yet',
    `Addresses   ${Object.values(status.addresses).join(', ')}`,
    `Link        ${upstream.connected ? `connected to ${upstream.url}` : 'not connected'} since ${upstream.since}`,
    `Clock       ${clock.time}, ${clock.trusted ? 'trusted' : 'not trusted yet'} (${clock.source})`,
    `Messages    ${traffic.up} up, ${traffic.down} down, ${traffic.local} within the site, ${traffic.offline} while offline, ${traffic.dropped} dropped`,
    `Controllers ${connectedCount} of ${controllers.length} connected`,
    ...controllers.map(controller => controllerLine(controller, width)),
    ...faults.map(({ message, since }) => `Fault       ${message} (since ${new Date(since).toISOString()})`),
  ];
  return `${lines.join('\n')}\n`;
};
