import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { describe, expect, it } from 'vitest';
import { useTestOrganization } from '../../test-organization.test-support.ts';
import { DownlinkCounterAllocator } from '../downlink/downlink-counter-allocator.ts';
import { addClaimedDevice } from './claimed-device.test-support.ts';
import { HelloRecorder } from './hello-recorder.ts';

const world = useTestOrganization();

const hello = (nonce: string): HelloMqttMessage =>
  ({ session_nonce: nonce, serial: '01', firmware: '1.0.0', down_counter: 0 }) as HelloMqttMessage;

const openRecorder = () => {
  const { services } = world.database;
  return new HelloRecorder(services.writer, new DownlinkCounterAllocator(services.storage));
};

const nonceOf = async (device: string): Promise<string | null> =>
  (await world.database.services.deviceRows.links.load(device))!.session_nonce;

describe('HelloRecorder', () => {
  it('accepts each newer hello of a storm and rejects replayed ones', async () => {
    const hellos = openRecorder();
    const links = await Promise.all(Array.from({ length: 20 }, () => addClaimedDevice(world)));
    const events = await world.organization.eventsOf(async () => {
      await hellos.record(links[0]!, hello('first'), 6);
      const accepted = await Promise.all(
        links.map((link, index) => hellos.record(link, hello(`n${index}`), index % 2 === 0 ? 7 : 5)),
      );
      expect(accepted).toEqual(links.map((_, index) => index % 2 === 0));
    });
    expect(await Promise.all(links.map(({ device_id }) => nonceOf(device_id)))).toEqual(
      links.map((_, index) => (index % 2 === 0 ? `n${index}` : null)),
    );
    expect(events).toHaveLength(10);
    expect(world.database.statements.filter(text => text.startsWith('update device_links')).length).toBeLessThan(20);
  });

  it('keeps the order of two hellos of one device in a batch', async () => {
    const hellos = openRecorder();
    const [link, other] = [await addClaimedDevice(world), await addClaimedDevice(world)];
    await hellos.record(other, hello('first'), 6);
    const accepted = [hellos.record(link, hello('older'), 6), hellos.record(link, hello('newer'), 7)];
    expect(await Promise.all(accepted)).toEqual([true, true]);
    expect(await nonceOf(link.device_id)).toBe('newer');
  });

  it('accepts the hellos of a batch that was committed although its write failed', async () => {
    const { services } = world.database;
    let isAnswerLost = false;
    const writer = new Proxy(services.writer, {
      get: (target, name) =>
        name === 'write'
          ? async (...args: Parameters<typeof target.write>) => {
              const written = await target.write(...args);
              if (!isAnswerLost) return written;
              isAnswerLost = false;
              throw new Error('Connection terminated');
            }
          : (target[name as keyof typeof target] as unknown),
    });
    const hellos = new HelloRecorder(writer, new DownlinkCounterAllocator(services.storage));
    const links = await Promise.all(Array.from({ length: 3 }, () => addClaimedDevice(world)));
    await hellos.record(links[0]!, hello('first'), 6);
    isAnswerLost = true;
    const accepted = await Promise.all(links.map((link, index) => hellos.record(link, hello(`n${index}`), 7)));
    expect(accepted).toEqual([true, true, true]);
    expect(await hellos.record(links[1]!, hello('replayed'), 7)).toBe(false);
  });
});
