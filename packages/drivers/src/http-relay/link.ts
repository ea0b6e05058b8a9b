import { type RelayHttpClient, type RelayHttpRequest, RelayHttpStatusError } from '../network/http-relays.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';
import type { RelayLink } from '../relay-boards/confirmed-relays.ts';

export interface HttpRelayOutputRequests {
  readonly on: RelayHttpRequest;
  readonly off: RelayHttpRequest;
  /** The response contains `on_text` while the relay is on. */
  readonly state: { readonly request: RelayHttpRequest; readonly on_text: string };
}

/** Any device that switches a relay and tells its state over HTTP. */
export const createHttpRelayLink = (
  client: RelayHttpClient,
  outputs: Readonly<Record<string, HttpRelayOutputRequests>>,
): RelayLink<RelayHttpClient> => {
  const queue = new BusRequestQueue();
  const isOn = async ({ state: { request, on_text } }: HttpRelayOutputRequests): Promise<boolean> =>
    (await client.send(request)).includes(on_text);
  return {
    request: (urgency, question) => queue.add(urgency, () => question(client)),
    read: async () => {
      const on = new Set<string>();
      for (const [name, output] of Object.entries(outputs)) if (await isOn(output)) on.add(name);
      return output => on.has(output);
    },
    // Success alone does not confirm it: some devices answer before, or without, switching.
    write: async (_, name, on) => {
      const output = outputs[name]!;
      await client.send(on ? output.on : output.off);
      if ((await isOn(output)) !== on) throw new RelayHttpStatusError(`The relay is still ${on ? 'off' : 'on'}`);
    },
    isBroken: error => error instanceof RelayHttpStatusError,
    isFailureOfOutput: () => true,
  };
};
