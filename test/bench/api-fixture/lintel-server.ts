import type { AddressInfo } from 'node:net';
import { createBridge } from '@lintel/cloud-bridge/main';
import pino from 'pino';
import type { ServerSettings } from './start-server.ts';

/** The bridge as deployed, without rate limit and request log, which the bare server does not have either. */
const { dataDir, database } = JSON.parse(process.argv[2] ?? '') as ServerSettings;
const bridge = await createBridge({
  dataDir,
  database,
  publicUrl: 'http://bench.test',
  logger: pino({ level: 'error' }, pino.destination(2)),
  rateLimit: { perSecond: 1e9, burst: 1e9 },
});
await bridge.app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (bridge.app.server.address() as AddressInfo).port });
process.once('disconnect', () => process.exit(0));
