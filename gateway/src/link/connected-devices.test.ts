import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { ConnectedDevices } from './connected-devices.ts';

const [a, b, c] = ['dev_a', 'dev_b', 'dev_c'] as DeviceId[] as [DeviceId, DeviceId, DeviceId];
const deviceOf = (filter: string): string => filter.split('/')[2]!;

/** Connected devices and what is done for them, in order, with a manual clock. */
const setUp = (rejected: readonly DeviceId[] = []) => {
  const actions: string[] = [];
  const due: (() => void)[] = [];
  const stillRejected = new Set<string>(rejected);
  const devices = new ConnectedDevices({
    subscribe: async filters => {
      const devices = filters.map(deviceOf);
      if (devices.some(id => stillRejected.has(id))) throw new Error('rejected');
      actions.push(`subscribe ${devices.join(' ')}`);
    },
    unsubscribe: async filters => {
      actions.push(`unsubscribe ${filters.map(deviceOf).join(' ')}`);
    },
    announce: devices => actions.push(`announce ${devices.join(' ')}`),
    onReady: device => actions.push(`ready ${device}`),
    timers: { after: (_, work) => due.push(work) as unknown as () => void },
    log: (_, message) => actions.push(message),
  });
  const pass = async (): Promise<string[]> => {
    for (const work of due.splice(0)) work();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return actions.splice(0);
  };
  return { devices, pass, stillRejected };
};

describe('ConnectedDevices', () => {
  it('subscribes to a device, announces it, and only then reports it as ready', async () => {
    const { devices, pass } = setUp();
    devices.setOnline([]);
    expect(await pass()).toEqual(['announce ']);
    devices.deviceConnected(a, 0);
    devices.deviceConnected(b, 0);
    expect(devices.isReady(a)).toBe(false);
    expect(await pass()).toEqual(['subscribe dev_a dev_b', 'announce dev_a dev_b', 'ready dev_a', 'ready dev_b']);
  });

  it('announces the remaining devices when one leaves, and unsubscribes from it', async () => {
    const { devices, pass } = setUp();
    devices.setOnline([]);
    devices.deviceConnected(a, 0);
    devices.deviceConnected(b, 0);
    await pass();
    devices.deviceDisconnected(a);
    expect(await pass()).toEqual(['unsubscribe dev_a', 'announce dev_b']);
    expect([devices.isReady(a), devices.isReady(b)]).toEqual([false, true]);
  });

  it('announces nothing while offline, and all new devices when online', async () => {
    const { devices, pass } = setUp();
    devices.deviceConnected(a, 0);
    expect(await pass()).toEqual([]);
    devices.setOnline(devices.devicesToSubscribe());
    expect(await pass()).toEqual(['announce dev_a', 'ready dev_a']);
    devices.setOffline();
    expect([devices.isReady(a), devices.isSubscribed(a), devices.isConnected(a)]).toEqual([false, false, true]);
  });

  it('retries a device that the bridge rejects without delaying the others', async () => {
    const { devices, pass, stillRejected } = setUp([b]);
    devices.setOnline([]);
    for (const device of [a, b, c]) devices.deviceConnected(device, 0);
    expect(await pass()).toEqual([
      'subscribe dev_a',
      'The bridge rejects the subscription for a device',
      'subscribe dev_c',
      'announce dev_a dev_b dev_c',
      'ready dev_a',
      'ready dev_c',
    ]);
    stillRejected.clear();
    await pass();
    expect(await pass()).toEqual(['subscribe dev_b', 'ready dev_b']);
  });
});
