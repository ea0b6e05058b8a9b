import { Readable } from 'node:stream';
import memoryPersistence from 'aedes-persistence';

/** Its types name a `default` that the CommonJS module does not have. */
const createMemoryPersistence = memoryPersistence as unknown as () => object;

class EmptyStream extends Readable {
  override _read(): void {
    this.push(null);
  }
}

const noRetainedMessages = { pipe: (): void => undefined };

/**
 * For a broker that stores no messages: sessions are clean, and no message is retained. In each handshake aedes reads the messages
 * for the client and for its subscriptions, which the memory persistence would offer as streams over iterators.
 */
export const createSessionlessPersistence = (): object =>
  Object.assign(createMemoryPersistence(), {
    outgoingStream: () => new EmptyStream(),
    createRetainedStreamCombi: () => noRetainedMessages,
  });
