/** What tests outside this package use of it. Production code does not import it. */
// Parts that a test drives by themselves, with other data, time or network.
export { GatewayStatusServer } from './status/status-server.ts';
export { toEventRanges } from './store/event-ranges.ts';
export { StoredFrameTotals } from './store/stored-frame-totals.ts';
export type { StoredFrameMetadata } from './store/unconfirmed-frame-table.ts';
export { createGatewayUpdateAdapter } from './updates/gateway-update-adapter.ts';
