import type { CardReader } from '@lintel/device-runtime/ports/card-reader';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import { describe, expect, it } from 'vitest';

/** A reader, and somebody with cards. */
export interface CardReaderBench {
  readonly reader: CardReader;
  /** Holds a card of this uid to the reader and takes it away again. */
  tap(uid: string): Promise<void>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

export const cardReaderContract = (name: string, open: () => Promise<CardReaderBench>): void => {
  describe(`${name} as a card reader`, () => {
    it('tells the uid in lower-case hex with all its zeros, once for each tap', async () => {
      const bench = await open();
      const uids: string[] = [];
      bench.reader.onCard(uid => uids.push(uid));
      for (const uid of ['00A1B2C3', '00a1b2c3', '04000000000001', '0403020100ffeeddccbb']) await bench.tap(uid);
      await expect.poll(() => uids).toEqual(['00a1b2c3', '00a1b2c3', '04000000000001', '0403020100ffeeddccbb']);
      await bench.close();
    });

    it('tells when it is gone and when it is back, and works again', async () => {
      const bench = await open();
      const faults: (PartFault | null)[] = [];
      const uids: string[] = [];
      bench.reader.onFault(fault => faults.push(fault));
      bench.reader.onCard(uid => uids.push(uid));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      await bench.tap('00a1b2c3');
      await expect.poll(() => uids).toEqual(['00a1b2c3']);
      await bench.close();
    });
  });
};
