import { setTimeout } from 'node:timers/promises';
import type * as PcscMini from 'pcsc-mini';
import type { Client, Reader } from 'pcsc-mini';
import type * as Native from 'pcsc-mini/build/addon.node.js';
import type { PcscSession, PcscWatcher } from './pcsc-session.ts';

type Binding = typeof PcscMini;

/** For a process that holds nothing but this: calls may block it, and a client whose service went away may end it. */
export interface PcscMiniSession extends PcscSession {
  /** Resolves when the service has answered; it is asked for a reader that nobody has. */
  beat(): Promise<void>;
}

const NOBODYS_READER = 'lintel asks whether anybody is there';

const watch = ({ ReaderStatus }: Binding, client: Client, watcher: PcscWatcher): void => {
  client.on('reader', (reader: Reader) => {
    // The ATR that comes along is not to be trusted: in 0.1.3 its memory is somebody else's by the time it is read.
    reader.on('change', status => {
      watcher.changed(reader.name(), status.has(ReaderStatus.PRESENT) && !status.has(ReaderStatus.MUTE));
    });
    reader.on('disconnect', () => watcher.unplugged(reader.name()));
  });
  client.on('error', error => watcher.ended(error));
};

const AGAIN_MS = 50;

const beatOf =
  ({ CardMode, Protocol }: Binding, native: Native.Client) =>
  async (): Promise<void> => {
    for (;;) {
      try {
        await native.connect(NOBODYS_READER, CardMode.DIRECT, Protocol.UNSET);
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === 'UnknownReader') return;
        // The binding has only so many calls under way: the service was not asked.
        if (code !== 'TooManyCardConnections') throw error;
      }
      await setTimeout(AGAIN_MS);
    }
  };

const connectTo = async ({ CardMode, CardDisposition }: Binding, client: Client, name: string) => {
  const reader = client.reader(name);
  if (reader === undefined) throw new Error('the reader is gone');
  const card = await reader.connect(CardMode.SHARED);
  return {
    atr: async () => (await card.state()).atr,
    transmit: (apdu: Uint8Array) => card.transmit(apdu),
    release: () => card.disconnect(CardDisposition.LEAVE),
  };
};

const close = (client: Client): void => {
  client.removeAllListeners();
  // Whatever is still told on the way out has nobody to hear it, and an unheard error ends the process.
  client.on('error', () => undefined);
  try {
    client.stop();
  } catch {
    // The service is gone already.
  }
};

/** Loaded when it is wanted: it needs libpcsclite1. */
export const openPcscMiniSession = async (watcher: PcscWatcher): Promise<PcscMiniSession> => {
  const binding = await import('pcsc-mini');
  const { default: addon } = await import('pcsc-mini/build/addon.node.js');
  // The library keeps its native client to itself, and without a reader there is nobody else to ask for a sign of life.
  const native = addon.newClient();
  const client = new binding.Client({ ...addon, newClient: () => native });
  watch(binding, client, watcher);
  client.start();
  return {
    connect: name => connectTo(binding, client, name),
    beat: beatOf(binding, native),
    close: () => close(client),
  };
};
