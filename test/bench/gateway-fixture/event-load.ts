import { connect } from 'node:net';
import { FleetMqttConnection } from '@lintel/simulator/testing';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';

/*
 * Controllers that send events as fast as the bridge acknowledges them. Reads its settings from stdin and writes the result
 * to stdout, as JSON.
 */

interface EventSender {
  readonly clientId: string;
  readonly password: string;
  readonly filter: string;
  readonly topic: string;
  readonly helloTopic: string;
  /** Base64. */
  readonly hello: string;
  /** Base64, numbered from 1. */
  readonly frames: readonly string[];
}

export interface EventLoadSettings {
  readonly port: number;
  readonly senders: readonly EventSender[];
  /** Messages of one controller in flight. */
  readonly window: number;
  /** Events in each message. */
  readonly batch: number;
}

export interface EventLoadResult {
  readonly per_second: number;
}

const countAcknowledged = (payload: Buffer): number => {
  const frame = decodeUnverifiedFrame(payload);
  if (!frame.ok || frame.value.header.kind !== 'ack') return 0;
  return (JSON.parse(Buffer.from(frame.value.body).toString()) as { event_ids: readonly string[] }).event_ids.length;
};

const settings = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString()) as EventLoadSettings;

const prepared = await Promise.all(
  settings.senders.map(async ({ clientId, password, filter, topic, helloTopic, hello, frames }) => {
    const payloads = frames.map(frame => Buffer.from(frame, 'base64'));
    let acknowledged = 0;
    let sent = 0;
    let finished = (): void => undefined;
    const done = new Promise<void>(resolve => {
      finished = resolve;
    });
    const onMessage = (receivedTopic: string, payload: Buffer): void => {
      if (!receivedTopic.endsWith('/down/ack')) return;
      acknowledged += countAcknowledged(payload) / settings.batch;
      if (acknowledged >= payloads.length) return finished();
      sendNext();
    };
    const client = new FleetMqttConnection(connect({ port: settings.port, host: '127.0.0.1', noDelay: true }), {
      onMessage,
    });
    const sendNext = (): void => {
      while (sent < payloads.length && sent - acknowledged < settings.window) client.publish(topic, payloads[sent++]!);
    };
    await client.open({ clientId, password, filters: [filter] });
    client.publish(helloTopic, Buffer.from(hello, 'base64'));
    return { sendNext, done, count: payloads.length * settings.batch };
  }),
);
const start = performance.now();
for (const { sendNext } of prepared) sendNext();
await Promise.all(prepared.map(({ done }) => done));
const seconds = (performance.now() - start) / 1000;
const count = prepared.reduce((sum, sender) => sum + sender.count, 0);
const result: EventLoadResult = { per_second: count / seconds };
process.stdout.write(JSON.stringify(result), () => process.exit(0));
