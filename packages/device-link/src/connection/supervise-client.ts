import type { OutageLog } from '@lintel/service/connections/outage-log';
import { Backoff } from '@lintel/service/timing/backoff';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import type { MqttClient } from 'mqtt';

export const FIRST_RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 10_000;

/**
 * For a client that reconnects by itself (`reconnectPeriod`, `reconnectOnConnackError`): lets it wait longer after each failure,
 * with jitter, until a connection has lasted, and logs each outage once.
 */
export const superviseMqttClient = (
  client: MqttClient,
  outages: OutageLog,
  random: () => number,
  timers: Timers = processTimers,
): void => {
  const backoff = new Backoff({ firstMs: FIRST_RECONNECT_MS, longestMs: LONGEST_RECONNECT_MS }, random);
  let cancelReset = (): void => undefined;
  const setPeriod = (): void => {
    client.options.reconnectPeriod = Math.max(1, backoff.next());
  };
  client.on('error', error => outages.failed(error));
  client.on('close', () => {
    cancelReset();
    // For the next failure: the client has already started the wait after this one.
    setPeriod();
    if (!client.disconnecting) outages.failed(new Error('The connection was closed'));
  });
  client.on('connect', () => {
    cancelReset = timers.after(LONGEST_RECONNECT_MS, () => {
      backoff.reset();
      setPeriod();
    });
    outages.recovered();
  });
};
