import { openPlainSocket } from '@lintel/device-link/tls/open-socket';
import { FleetMqttConnection, forEachWithConcurrency, monotonicNowMs } from '@lintel/simulator/testing';

/** Connects as many clients as a fleet process. Each sends messages of the same size and gets no response. */

export interface BareClientsSettings {
  readonly port: number;
  readonly ids: readonly string[];
  readonly maxConcurrent: number;
}

/** The sizes of hello, last will and password in a real fleet. */
const hello = Buffer.alloc(480, 'h');
const goodbye = Buffer.alloc(70, 'g');
const password = 'p'.repeat(270);

const storm = async ({ port, ids, maxConcurrent }: BareClientsSettings): Promise<{ start: number; end: number }> => {
  const start = monotonicNowMs();
  let end = start;
  const acknowledged: Promise<void>[] = [];
  await forEachWithConcurrency(ids, maxConcurrent, async id => {
    const connection = new FleetMqttConnection(await openPlainSocket({ host: '127.0.0.1', port, timeoutMs: 30_000 }), {
      onMessage: () => undefined,
    });
    const filters = [`lintel/v1/${id}/down/#`, 'lintel/v1/org/org_bare/down/revoke'];
    const will = { topic: `lintel/v1/${id}/up/goodbye`, payload: goodbye };
    await connection.open({ clientId: id, password, filters, will, keepAliveSeconds: 120 });
    acknowledged.push(
      new Promise(resolve => {
        connection.publish(`lintel/v1/${id}/up/hello`, hello, () => {
          end = monotonicNowMs();
          resolve();
        });
      }),
    );
  });
  await Promise.all(acknowledged);
  return { start, end };
};

process.on('message', (settings: BareClientsSettings) => void storm(settings).then(times => process.send!(times)));
process.on('disconnect', () => process.exit(0));
