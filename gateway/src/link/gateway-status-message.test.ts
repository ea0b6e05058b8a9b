import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { expect, it } from 'vitest';
import { buildGatewayStatusMessage } from './gateway-status-message.ts';

it('reports the power of the product for a gateway', () => {
  const { capabilities } = loadProfiles().find(({ product_id }) => product_id === 'gateway')!;
  const store = { frames: { total: { events: 0 } } };
  const status = buildGatewayStatusMessage({ now: () => 1 } as never, store as never, { list: () => [] } as never);
  expect(status).toMatchObject({
    mains_present: capabilities.mains,
    battery_present: capabilities.battery,
    battery_charging: false,
    battery_percent: null,
  });
});
