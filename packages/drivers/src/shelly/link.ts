import { parseJsonOrNull } from '@lintel/wire-protocol/encoding/json-text';
import { RelayHttpStatusError, type RelayHttpClient } from '../network/http-relays.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';
import type { RelayLink } from '../relay-boards/confirmed-relays.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Days; a longer pulse is not meant as one. */
const LONGEST_PULSE_MS = 86_400_000;
const PATH = '/rpc';

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Calls of the Gen2 RPC protocol (JSON-RPC 2.0 over HTTP). */
export class ShellyRpcClient {
  readonly #client: RelayHttpClient;
  #id = 0;

  constructor(client: RelayHttpClient) {
    this.#client = client;
  }

  async call(method: string, params: Fields): Promise<Fields> {
    const id = ++this.#id;
    const text = JSON.stringify({ jsonrpc: '2.0', id, src: 'lintel', method, params });
    const frame = parseJsonOrNull(
      await this.#client.send({ method: 'POST', path: PATH, body: { text, type: 'application/json' } }),
    );
    if (isFields(frame) && isFields(frame['error']))
      throw new RelayHttpStatusError(`${method} is rejected: ${String(frame['error']['message'])}`);
    if (!isFields(frame) || frame['id'] !== id || !isFields(frame['result']))
      throw new RelayHttpStatusError(`${method} has an unknown response`);
    return frame['result'];
  }
}

/** `outputs`: the number of the switch of each output. */
export const createShellyLink = (
  rpc: ShellyRpcClient,
  outputs: Readonly<Record<string, number>>,
): RelayLink<ShellyRpcClient> => {
  const queue = new BusRequestQueue();
  const set = async (output: string, params: Fields): Promise<void> => {
    const { was_on } = await rpc.call('Switch.Set', { id: outputs[output], ...params });
    if (typeof was_on !== 'boolean') throw new RelayHttpStatusError('Switch.Set is not confirmed');
  };
  return {
    request: (urgency, question) => queue.add(urgency, () => question(rpc)),
    read: async () => {
      const status = await rpc.call('Shelly.GetStatus', {});
      const states = Object.entries(outputs).map(([output, id]) => {
        const component = status[`switch:${id}`];
        const state = isFields(component) ? component['output'] : undefined;
        if (typeof state !== 'boolean') throw new RelayHttpStatusError(`The relay has no switch ${id}`);
        return [output, state] as const;
      });
      const on = new Map(states);
      return output => on.get(output) === true;
    },
    write: (_, output, on) => set(output, { on }),
    pulse: pulse_ms =>
      pulse_ms > LONGEST_PULSE_MS ? null : (_, output) => set(output, { on: true, toggle_after: pulse_ms / 1_000 }),
    isBroken: error => error instanceof RelayHttpStatusError,
    isFailureOfOutput: () => true,
  };
};
