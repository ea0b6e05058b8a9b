import { openPlainSocket } from '@lintel/device-link/tls/open-socket';
import { monotonicMs } from '../../../simulator/src/fleet/fleet-tally.ts';
import { mapWithConcurrency } from '../../../simulator/src/fleet/map-with-concurrency.ts';
import { MqttLine } from '../../../simulator/src/fleet/mqtt-line.ts';

/** As many clients as a process of the fleet has, which say as much at first, and to whom nobody answers. */

export interface BareOrder {
  readonly port: number;
  readonly ids: readonly string[];
  readonly atOnce: number;
}

/** Of a hello, a will and a password of the fleet. */
const hello = Buffer.alloc(480, 'h');
const goodbye = Buffer.alloc(70, 'g');
const password = 'p'.repeat(270);

const storm = async ({ port, ids, atOnce }: BareOrder): Promise<{ start: number; end: number }> => {
  const start = monotonicMs();
  let end = start;
  const said: Promise<void>[] = [];
  await mapWithConcurrency(ids, atOnce, async id => {
    const line = new MqttLine(await openPlainSocket({ host: '127.0.0.1', port, timeoutMs: 30_000 }), {
      onMessage: () => undefined,
    });
    const filters = [`lintel/v1/${id}/down/#`, 'lintel/v1/org/org_bare/down/revoke'];
    const will = { topic: `lintel/v1/${id}/up/goodbye`, payload: goodbye };
    await line.open({ clientId: id, password, filters, will, keepAliveSeconds: 120 });
    said.push(
      new Promise(resolve => {
        line.publish(`lintel/v1/${id}/up/hello`, hello, () => {
          end = monotonicMs();
          resolve();
        });
      }),
    );
  });
  await Promise.all(said);
  return { start, end };
};

process.on('message', (order: BareOrder) => void storm(order).then(times => process.send!(times)));
process.on('disconnect', () => process.exit(0));
