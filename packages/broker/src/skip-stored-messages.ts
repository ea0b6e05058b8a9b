import { Readable } from 'node:stream';
import type { Aedes } from 'aedes';

class EmptyStream extends Readable {
  override _read(): void {
    this.push(null);
  }
}

const noRetainedMessages = { pipe: (): void => undefined };

/**
 * In each handshake aedes reads the messages that it stored for the client and for its subscriptions, each as a stream over an iterator.
 * The broker stores none: sessions are clean, and no message is retained.
 */
export const skipStoredMessages = (aedes: Aedes): void => {
  const { persistence } = aedes as unknown as { readonly persistence: object };
  Object.assign(persistence, {
    outgoingStream: () => new EmptyStream(),
    createRetainedStreamCombi: () => noRetainedMessages,
  });
};
