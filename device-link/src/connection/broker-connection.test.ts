import { expect, it, vi } from 'vitest';
import { ManualTimers } from '../manual-timers.test-support.ts';
import { BrokerConnection } from './broker-connection.ts';

/** What it waits for between attempts at brokers that are not there. */
const waitsFor = async (urls: readonly string[], attempts: number): Promise<number[]> => {
  const timers = new ManualTimers();
  const connection = new BrokerConnection({
    urls: () => urls,
    identity: () => {
      throw new Error('nobody is there');
    },
    filters: () => [],
    will: () => ({ topic: '', payload: new Uint8Array() }),
    now: () => 0,
    onConnected: () => undefined,
    onDisconnected: () => undefined,
    onMessage: () => undefined,
    log: () => undefined,
    random: () => 1,
    timers,
  });
  connection.start();
  const waits: number[] = [];
  while (waits.length < attempts) {
    await vi.waitUntil(() => timers.next !== null);
    waits.push(timers.next!);
    await timers.fire();
  }
  await connection.stop();
  return waits;
};

it('waits longer after each failure, up to a minute', async () => {
  expect(await waitsFor(['mqtts://doors.example.com:8883'], 9)).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
  ]);
});

it('a broker on the same machine is asked every few seconds', async () => {
  expect(await waitsFor(['mqtt://127.0.0.1:1883'], 6)).toEqual([500, 1000, 2000, 3000, 3000, 3000]);
});

it('but not where one of several is elsewhere', async () => {
  const waits = await waitsFor(['mqtt://127.0.0.1:1883', 'mqtts://doors.example.com:8883'], 5);
  expect(waits.at(-1)).toBe(8000);
});
