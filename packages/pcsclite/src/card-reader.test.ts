import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PcscCardReader } from './card-reader.ts';
import type { PcscLibraryCalls } from './libpcsclite-calls.ts';
import { PcscError } from './pcsc-error.ts';

const NO_CARD = 0x8010000c;
const SHARED = { share_mode: 2 };

class LibraryFixture {
  readonly calls: string[] = [];
  /** Results of the next connections; null succeeds. */
  failures: (number | null)[] = [];
  disconnectFails = false;
  readonly library = {
    openContext: async () => 1,
    closeContext: async () => void this.calls.push('close'),
    connect: async (_context: number, name: string, { shareMode }: { shareMode: number }) => {
      this.calls.push(`connect ${name} ${shareMode}`);
      const failure = this.failures.shift() ?? null;
      if (failure !== null) throw new PcscError(failure);
      return { handle: 7, protocol: 2 };
    },
    transmit: async (_card: unknown, apdu: Uint8Array, maxLength: number) => {
      this.calls.push(`transmit ${Buffer.from(apdu).toString('hex')} ${maxLength}`);
      return Buffer.from('9000', 'hex');
    },
    disconnect: async () => {
      this.calls.push('disconnect');
      if (this.disconnectFails) throw new PcscError(NO_CARD);
    },
  } as unknown as PcscLibraryCalls;
  readonly reader = new PcscCardReader('ACR122U', this.library);
  readonly connect = promisify((done: (error: Error | null, protocol?: number) => void) =>
    this.reader.connect(SHARED, done),
  );
  readonly transmit = promisify((apdu: string, done: (error: Error | null, response?: Buffer) => void) =>
    this.reader.transmit(Buffer.from(apdu, 'hex'), 12, 2, done),
  );
  readonly disconnect = promisify((done: (error: Error | null) => void) => this.reader.disconnect(0, done));
}

describe('CardReader', () => {
  it('shares one connection between two callers that connect at the same time', async () => {
    const { connect, calls } = new LibraryFixture();
    expect(await Promise.all([connect(), connect()])).toEqual([2, 2]);
    expect(calls).toEqual(['connect ACR122U 2']);
  });

  it('connects again for the second caller if the first attempt failed', async () => {
    const fixture = new LibraryFixture();
    fixture.failures = [NO_CARD, null];
    const [first, second] = await Promise.allSettled([fixture.connect(), fixture.connect()]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'NoCard', result: NO_CARD } });
    expect(second).toEqual({ status: 'fulfilled', value: 2 });
  });

  it('rejects a command without a connection', async () => {
    const { reader, transmit } = new LibraryFixture();
    expect(reader.connected).toBe(false);
    await expect(transmit('ffca000000')).rejects.toThrow('Card Reader not connected');
  });

  it('runs calls in order and is disconnected even if the card has left', async () => {
    const fixture = new LibraryFixture();
    fixture.disconnectFails = true;
    const { connect, transmit, disconnect, calls, reader } = fixture;
    const results = await Promise.allSettled([connect(), transmit('ffca000000'), disconnect(), connect()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(calls).toEqual(['connect ACR122U 2', 'transmit ffca000000 12', 'disconnect', 'connect ACR122U 2']);
    expect(reader.connected).toBe(true);
  });

  it('has the constants that nfc-pcsc reads', () => {
    const { reader } = new LibraryFixture();
    expect(reader.SCARD_SHARE_SHARED).toBe(2);
    expect(reader.SCARD_CTL_CODE(1)).toBe(reader.IOCTL_CCID_ESCAPE);
  });
});
