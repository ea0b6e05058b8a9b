import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../support/find-free-port.ts';
import { startBeforeTests, testRestrictions } from './container-suite.ts';
import { TestContainer } from './test-container.ts';

describe('container image of the bridge', () => {
  let url: string;

  const container = startBeforeTests(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    return TestContainer.start('bridge', { LINTEL_HTTP_PORT: String(port), LINTEL_MQTT_PORT: '0' });
  });

  const statusOf = (path: string): Promise<number> =>
    fetch(`${url}${path}`).then(
      ({ status }) => status,
      () => 0,
    );

  it('becomes ready and healthy, and serves the API', async () => {
    await expect.poll(() => statusOf('/readyz')).toBe(200);
    expect(await statusOf('/v2/openapi.json')).toBe(200);
    expect(await container().isHealthy()).toBe(true);
  });

  testRestrictions(container);
});
