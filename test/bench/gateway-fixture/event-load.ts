import { connect } from 'node:net';
import { MqttLine } from '../../../simulator/src/fleet/mqtt-line.ts';
import { decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';

/*
 * Controllers that tell their events, one in a message, as fast as the bridge confirms them: each has so many under way.
 * Reads its order from standard input and writes what it measured to standard output, as JSON.
 */

interface EventSender {
  readonly clientId: string;
  readonly password: string;
  readonly filter: string;
  readonly topic: string;
  /** In base64, numbered from 1 on. */
  readonly frames: readonly string[];
}

export interface EventOrder {
  readonly port: number;
  readonly senders: readonly EventSender[];
  readonly window: number;
}

export interface EventResult {
  readonly per_second: number;
}

const upToIn = (payload: Buffer): number => {
  const frame = decodeFrame(payload);
  if (!frame.ok || frame.value.header.kind !== 'ack') return 0;
  return (JSON.parse(Buffer.from(frame.value.body).toString()) as { up_to: number }).up_to;
};

const order = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString()) as EventOrder;

const prepared = await Promise.all(
  order.senders.map(async ({ clientId, password, filter, topic, frames }) => {
    const payloads = frames.map(frame => Buffer.from(frame, 'base64'));
    let confirmed = 0;
    let sent = 0;
    let finished = (): void => undefined;
    const done = new Promise<void>(resolve => {
      finished = resolve;
    });
    const onMessage = (heard: string, payload: Buffer): void => {
      if (!heard.endsWith('/down/ack')) return;
      confirmed = Math.max(confirmed, upToIn(payload));
      if (confirmed >= payloads.length) return finished();
      more();
    };
    const client = new MqttLine(connect({ port: order.port, host: '127.0.0.1', noDelay: true }), { onMessage });
    const more = (): void => {
      while (sent < payloads.length && sent - confirmed < order.window) client.publish(topic, payloads[sent++]!);
    };
    await client.open({ clientId, password, filters: [filter] });
    return { more, done, count: payloads.length };
  }),
);
const start = performance.now();
for (const { more } of prepared) more();
await Promise.all(prepared.map(({ done }) => done));
const seconds = (performance.now() - start) / 1000;
const count = prepared.reduce((sum, one) => sum + one.count, 0);
const result: EventResult = { per_second: count / seconds };
process.stdout.write(JSON.stringify(result), () => process.exit(0));
