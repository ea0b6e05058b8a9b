/** What tests outside this package use of it. Production code does not import it. */
// Parts that a test drives by themselves, with other data, time or network.
export { GatewayStatusServer } from './status/status-server.ts';
export { createGatewayUpdateAdapter } from './updates/gateway-update-adapter.ts';
