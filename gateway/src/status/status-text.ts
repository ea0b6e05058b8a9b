import type { GatewayControllerStatus, GatewayStatusDocument } from './status-document-types.ts';

const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
};

const controllerLine = (controller: GatewayControllerStatus, width: number): string => {
  const { name, device_id, connected, was_connected, since, waiting } = controller;
  const isMissing = was_connected || waiting.events > 0;
  const state = connected ? `connected since ${since}` : isMissing ? 'disconnected' : 'not through this gateway';
  const queue = waiting.events === 0 ? '' : `, ${waiting.events} events waiting`;
  return `  ${(name === '' ? device_id : name).padEnd(width)}  ${state}${queue}`;
};

/** The output of `lintel gateway status`. */
export const formatGatewayStatus = (status: GatewayStatusDocument): string => {
  const { upstream, queue, clock, traffic, controllers, faults } = status;
  const width = Math.max(0, ...controllers.map(({ name, device_id }) => (name === '' ? device_id : name).length));
  const connectedCount = controllers.filter(({ connected }) => connected).length;
  const lines = [
    status.claimed
      ? `Gateway ${status.device_id}${status.site === null ? '' : ` of ${status.site}`}`
      : 'Gateway, not claimed yet',
    `Addresses   ${Object.values(status.addresses).join(', ')}`,
    `Link        ${upstream.connected ? `connected to ${upstream.url}` : 'not connected'} since ${upstream.since}`,
    `Waiting     ${queue.events} events in ${queue.frames} messages, ${size(queue.bytes)} of ${size(queue.limit_bytes)}, ${queue.under_way} in flight`,
    ...(queue.oldest_at === null ? [] : [`Oldest      ${queue.oldest_at}`]),
    `Clock       ${clock.time}, ${clock.trusted ? 'trusted' : 'not trusted yet'} (${clock.source})`,
    `Messages    ${traffic.up} up, ${traffic.down} down, ${traffic.local} within the site, ${traffic.unheard} while offline, ${traffic.left} kept by controllers, ${traffic.dropped} dropped`,
    `Controllers ${connectedCount} of ${controllers.length} connected`,
    ...controllers.map(controller => controllerLine(controller, width)),
    ...faults.map(({ message, since }) => `Fault       ${message} (since ${new Date(since).toISOString()})`),
  ];
  return `${lines.join('\n')}\n`;
};
