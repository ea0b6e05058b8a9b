import { describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';

const REVERSE_PROXY = '10.1.2.3';
const CLIENT = '203.0.113.9';

/** The client address that the bridge logs for a request through a proxy. */
const loggedAddress = async (trustedProxies: readonly string[], remoteAddress: string, forwarded: string) => {
  const log = new RecordingLogger();
  const bridge = await TestBridge.open({ logger: log, trustedProxies });
  const headers = { 'x-forwarded-for': forwarded, 'content-type': 'application/x-www-form-urlencoded' };
  await bridge.app.inject({
    method: 'POST',
    url: '/login',
    remoteAddress,
    headers,
    payload: 'email=a&password=b',
  });
  await bridge.close();
  return log.lines.find(line => line['audit'] === 'form_refused')?.['ip'];
};

describe('client address behind a proxy', () => {
  it('is the address that a trusted proxy forwards', async () => {
    expect(await loggedAddress(['10.0.0.0/8'], REVERSE_PROXY, CLIENT)).toBe(CLIENT);
  });

  it('is the proxy address if the proxy is not trusted', async () => {
    expect(await loggedAddress([], REVERSE_PROXY, CLIENT)).toBe(REVERSE_PROXY);
    expect(await loggedAddress(['127.0.0.1'], REVERSE_PROXY, CLIENT)).toBe(REVERSE_PROXY);
  });

  it('is not an address that the client put in the header', async () => {
    expect(await loggedAddress(['10.0.0.0/8'], REVERSE_PROXY, `198.51.100.1, ${CLIENT}`)).toBe(CLIENT);
  });
});
