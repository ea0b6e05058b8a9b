import { createBridge } from '@lintel/cloud-bridge/main';
import pino from 'pino';
import type { LintelSettings } from './start-server.ts';

/** The bridge as deployed, without rate limit and request log, which the bare server does not have either. */
const { dataDir, database } = JSON.parse(process.argv[2] ?? '') as LintelSettings;
const bridge = await createBridge({
  dataDir,
  database,
  logger: pino({ level: 'error' }, pino.destination(2)),
  rateLimit: { perSecond: 1e9, burst: 1e9 },
});
const address = await bridge.listen('127.0.0.1', 0);
process.send?.({ port: Number(new URL(address).port) });
process.once('disconnect', () => process.exit(0));
