import type { EventEmitter } from 'node:events';
import { networkInterfaces } from 'node:os';
import { Bonjour } from 'bonjour-service';
import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import type { Log } from '@lintel/service/log-function-type';

interface Advertisement {
  readonly name: string;
  readonly port: number;
  /** Public on the network, so it must not contain secrets. */
  readonly txt: () => Readonly<Record<string, string>>;
}

const CHECK_INTERVAL_MS = 30_000;
const UNPUBLISH_TIMEOUT_MS = 500;

const addresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(known => known ?? [])
    .map(({ address }) => address);

const logErrorOnce = (log: Log): ((error: unknown) => void) => {
  let last = '';
  return error => {
    const message = `mDNS advertising failed: ${String(error)}`;
    if (message !== last) log('warn', message);
    last = message;
  };
};

/** Publishes again when addresses change, for example when the cable is plugged in later. */
const startAdvertising = (
  { name, port, txt }: Advertisement,
  logError: (error: unknown) => void,
): (() => Promise<void>) => {
  const bonjour = new Bonjour({}, logError);
  // An unhandled socket error would end the process.
  const { server } = bonjour as unknown as { readonly server: { readonly mdns: EventEmitter } };
  server.mdns.on('error', logError);
  let published = '';
  const publishIfChanged = (): void => {
    const current = JSON.stringify([addresses(), txt()]);
    if (current === published) return;
    const isFirst = published === '';
    published = current;
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
  publishIfChanged();
  const stopChecks = repeatEvery(CHECK_INTERVAL_MS, publishIfChanged, logError);
  return () => {
    stopChecks();
    return new Promise(resolve => {
      setTimeout(resolve, UNPUBLISH_TIMEOUT_MS).unref();
      bonjour.unpublishAll(() => bonjour.destroy(() => resolve()));
    });
  };
};

/** Publishes `lintel-7f3a.local` by mDNS. Returns a function that ends it. */
export const advertiseHostNameByMdns = (advertisement: Advertisement, log: Log): (() => Promise<void>) => {
  const logError = logErrorOnce(log);
  try {
    return startAdvertising(advertisement, logError);
  } catch (error) {
    logError(error);
    return async () => undefined;
  }
};
