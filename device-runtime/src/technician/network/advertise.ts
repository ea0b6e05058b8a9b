import type { EventEmitter } from 'node:events';
import { networkInterfaces } from 'node:os';
import { Bonjour } from 'bonjour-service';
import type { Log } from '@lintel/service/log';

interface Advertisement {
  readonly name: string;
  readonly port: number;
  /** Anybody on the network reads it: nothing that opens anything. */
  readonly txt: () => Readonly<Record<string, string>>;
}

const LOOK_MS = 30_000;
const FAREWELL_MS = 500;

const addresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(known => known ?? [])
    .map(({ address }) => address);

const complainOnce = (log: Log): ((error: unknown) => void) => {
  let last = '';
  return error => {
    const message = `the controller cannot say its name on the network: ${String(error)}`;
    if (message !== last) log('warn', message);
    last = message;
  };
};

/** Says it anew when addresses come or go: the line may be plugged in long after the start. */
const keepSaying = ({ name, port, txt }: Advertisement, complain: (error: unknown) => void): (() => Promise<void>) => {
  const bonjour = new Bonjour({}, complain);
  // Unheard, an error of its socket would end the process, and with it the door.
  const { server } = bonjour as unknown as { readonly server: { readonly mdns: EventEmitter } };
  server.mdns.on('error', complain);
  let said = '';
  const say = (): void => {
    const saying = JSON.stringify([addresses(), txt()]);
    if (saying === said) return;
    const isFirst = said === '';
    said = saying;
    const publish = (): void => {
      bonjour.publish({
        name,
        type: 'lintel',
        protocol: 'tcp',
        port,
        host: `${name}.local`,
        txt: { ...txt() },
        probe: false,
      });
    };
    if (isFirst) publish();
    else bonjour.unpublishAll(publish);
  };
  say();
  const look = setInterval(say, LOOK_MS);
  look.unref();
  return () => {
    clearInterval(look);
    return new Promise(resolve => {
      setTimeout(resolve, FAREWELL_MS).unref();
      bonjour.unpublishAll(() => bonjour.destroy(() => resolve()));
    });
  };
};

/** `lintel-7f3a.local` for a phone that has only the name on the label. The answer ends it. */
export const advertise = (advertisement: Advertisement, log: Log): (() => Promise<void>) => {
  const complain = complainOnce(log);
  try {
    return keepSaying(advertisement, complain);
  } catch (error) {
    complain(error);
    return async () => undefined;
  }
};
