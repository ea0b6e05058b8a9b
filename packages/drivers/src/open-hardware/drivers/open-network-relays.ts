import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import {
  RelayHttpClient,
  type RelayHttpAuthentication,
  type RelayHttpRequest,
} from '../../network/http/relay-http-client.ts';
import { readRelayPassword } from '../../network/http/relay-password.ts';
import { ConfirmedRelays } from '../../relays/confirmed-relays/confirmed-relays.ts';
import type { RelayLink } from '../../relays/confirmed-relays/relay-link-interface.ts';
import { createHttpRelayLink } from '../../relays/http-relay/http-relay-link.ts';
import { createShellyLink, ShellyRpcClient } from '../../relays/shelly/shelly-link.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

type NetworkRelay = BusWithDriver<'shelly' | 'http-relay'>;

/** The time between two questions for the state. Each one is a request to a small device. */
const LOOK_MS = 2_000;

/** The password is read for each request, so that a change needs no restart. */
const authenticationOf = (
  { authentication, user }: NetworkRelay,
  { dataDir, name }: BusContext,
): RelayHttpAuthentication =>
  authentication === 'none'
    ? { kind: 'none' }
    : { kind: authentication, user, password: () => readRelayPassword(dataDir, name) };

const openRelays = <Board>(link: RelayLink<Board>, outputs: readonly string[], { clock }: BusContext): OpenedBus => {
  const relays = new ConfirmedRelays({ clock, outputs, link, look_ms: LOOK_MS });
  return { outputs: relays, close: () => relays.close() };
};

export const openShelly = async (bus: BusWithDriver<'shelly'>, context: BusContext): Promise<OpenedBus> => {
  const client = new RelayHttpClient(`http://${bus.host}:${bus.tcp_port}`, authenticationOf(bus, context));
  const switches = Object.fromEntries(Object.entries(bus.outputs).map(([name, output]) => [name, output.switch]));
  return openRelays(createShellyLink(new ShellyRpcClient(client), switches), Object.keys(switches), context);
};

type HttpRequest = BusWithDriver<'http-relay'>['outputs'][string]['on'];

const requestOf = ({ method, path, body, type }: HttpRequest): RelayHttpRequest => ({
  method,
  path,
  body: body === undefined ? undefined : { text: body, type },
});

export const openHttpRelay = async (bus: BusWithDriver<'http-relay'>, context: BusContext): Promise<OpenedBus> => {
  const client = new RelayHttpClient(bus.url, authenticationOf(bus, context));
  const outputs = Object.entries(bus.outputs).map(
    ([name, { on, off, state }]) =>
      [
        name,
        { on: requestOf(on), off: requestOf(off), state: { request: requestOf(state), on_text: state.on_text } },
      ] as const,
  );
  return openRelays(createHttpRelayLink(client, Object.fromEntries(outputs)), Object.keys(bus.outputs), context);
};
