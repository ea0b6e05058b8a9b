import { describe, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';

const REVERSE_PROXY = '10.1.2.3';
const VISITOR = '203.0.113.9';

/** For whom the bridge takes somebody who asks through a proxy. */
const visitorSeen = async (trustedProxies: readonly string[], remoteAddress: string, forwarded: string) => {
  const log = new RecordingLogger();
  const world = await BridgeWorld.open({ logger: log, trustedProxies });
  const headers = { 'x-forwarded-for': forwarded, 'content-type': 'application/x-www-form-urlencoded' };
  await world.bridge.app.inject({
    method: 'POST',
    url: '/login',
    remoteAddress,
    headers,
    payload: 'email=a&password=b',
  });
  await world.close();
  return log.lines.find(line => line['audit'] === 'form_refused')?.['ip'];
};

describe('who asks through a proxy', () => {
  it('is whom a trusted proxy names', async () => {
    expect(await visitorSeen(['10.0.0.0/8'], REVERSE_PROXY, VISITOR)).toBe(VISITOR);
  });

  it('is the proxy itself while nobody has said that it is trusted', async () => {
    expect(await visitorSeen([], REVERSE_PROXY, VISITOR)).toBe(REVERSE_PROXY);
    expect(await visitorSeen(['127.0.0.1'], REVERSE_PROXY, VISITOR)).toBe(REVERSE_PROXY);
  });

  it('is not whom the visitor himself has made up before the proxy', async () => {
    expect(await visitorSeen(['10.0.0.0/8'], REVERSE_PROXY, `198.51.100.1, ${VISITOR}`)).toBe(VISITOR);
  });
});
