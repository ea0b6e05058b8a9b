import type * as PcscMini from 'pcsc-mini';
import type { Client, Reader } from 'pcsc-mini';
import type { OpenPcscSession, PcscSession, PcscWatcher } from './pcsc-session.ts';

type Binding = typeof PcscMini;

/**
 * Clients whose service went away, kept for good: when one is collected, its finalizer complains of the handle that
 * the service took along, and that complaint ends the process. They are few: one each time that pcscd stops.
 */
const lost: Client[] = [];

const watch = ({ ReaderStatus }: Binding, client: Client, watcher: PcscWatcher): void => {
  client.on('reader', (reader: Reader) => {
    // The ATR that comes along is not to be trusted: in 0.1.3 its memory is somebody else's by the time it is read.
    reader.on('change', status => {
      watcher.changed(reader.name(), status.has(ReaderStatus.PRESENT) && !status.has(ReaderStatus.MUTE));
    });
    reader.on('disconnect', () => watcher.unplugged(reader.name()));
  });
  client.on('error', () => {
    lost.push(client);
    watcher.ended();
  });
};

const session = ({ CardMode, CardDisposition }: Binding, client: Client): PcscSession => ({
  connect: async name => {
    const reader = client.reader(name);
    if (reader === undefined) throw new Error('the reader is gone');
    const card = await reader.connect(CardMode.SHARED);
    return {
      atr: async () => (await card.state()).atr,
      transmit: apdu => card.transmit(apdu),
      release: () => card.disconnect(CardDisposition.LEAVE),
    };
  },
  close: () => {
    client.removeAllListeners();
    // Whatever is still told on the way out has nobody to hear it, and an unheard error ends the process.
    client.on('error', () => undefined);
    try {
      client.stop();
    } catch {
      lost.push(client);
    }
  },
});

/** Loaded when it is wanted: it needs libpcsclite1, and a door without PC/SC must not. */
export const openPcscMiniSession: OpenPcscSession = async watcher => {
  const binding = await import('pcsc-mini');
  const client = new binding.Client();
  watch(binding, client, watcher);
  client.start();
  return session(binding, client);
};
