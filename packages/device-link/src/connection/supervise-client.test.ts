import { EventEmitter } from 'node:events';
import { OutageLog } from '@lintel/service/connections/outage-log';
import { ManualTimers } from '@lintel/test/support/manual-timers';
import type { MqttClient } from 'mqtt';
import { describe, expect, it } from 'vitest';
import { superviseMqttClient } from './supervise-client.ts';

const supervised = () => {
  const client = Object.assign(new EventEmitter(), { options: { reconnectPeriod: 250 }, disconnecting: false });
  const log: string[] = [];
  const timers = new ManualTimers();
  const outages = new OutageLog('Broker', (_, message) => log.push(message));
  superviseMqttClient(client as unknown as MqttClient, outages, () => 1, timers);
  /** The client starts its wait before it reports the close. */
  const waitAfterClose = (): number => {
    const { reconnectPeriod } = client.options;
    client.emit('close');
    return reconnectPeriod;
  };
  return { client, log, timers, waitAfterClose };
};

describe('superviseMqttClient', () => {
  it('lets the client wait longer after each failure, also when the connection breaks at once', () => {
    const { client, waitAfterClose } = supervised();
    const waits = Array.from({ length: 8 }, () => {
      client.emit('connect');
      return waitAfterClose();
    });
    expect(waits).toEqual([250, 250, 500, 1000, 2000, 4000, 8000, 10_000]);
  });

  it('starts with a short wait after a connection that has lasted', async () => {
    const { client, timers, waitAfterClose } = supervised();
    for (let failure = 0; failure < 5; failure++) waitAfterClose();
    client.emit('connect');
    await timers.fire();
    expect(waitAfterClose()).toBe(250);
  });

  it('logs the start and the end of an outage once', () => {
    const { client, log, waitAfterClose } = supervised();
    client.emit('connect');
    client.emit('error', new Error('refused'));
    for (let failure = 0; failure < 3; failure++) waitAfterClose();
    client.emit('connect');
    expect(log).toEqual(['Broker not available', 'Broker available again']);
  });

  it('does not report a connection that the program closes', () => {
    const { client, log, waitAfterClose } = supervised();
    client.emit('connect');
    client.disconnecting = true;
    waitAfterClose();
    expect(log).toEqual([]);
  });
});
