import { toPhoneKey } from '../taps/nfc-phone.ts';
import type { CardReader, ProvenPhoneKey } from '../interfaces/card-reader.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { CardReadingErrorKind } from '../interfaces/reader-signal-quality.ts';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { describe, expect, it, type TestContext } from 'vitest';

/** A reader with simulated cards. */
export interface CardReaderTestBench {
  readonly reader: CardReader;
  /** The UIDs that this kind of reader can read, if not all. */
  readonly uids?: readonly string[];
  /** Presents a card and removes it again. */
  tap(uid: string): Promise<void>;
  /** Presents a phone with this member token, if the reader supports phones. */
  tapPhone?(token: string): Promise<void>;
  /** Causes one failed reading, if the driver can detect it. */
  readonly misreading?: {
    readonly side: 'line' | 'cards';
    readonly trouble: CardReadingErrorKind;
    make(): Promise<void>;
  };
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

const everyLength = ['00A1B2C3', '00a1b2c3', '04000000000001', '0403020100ffeeddccbb'];

export const cardReaderContract = (
  name: string,
  open: (context: TestContext) => Promise<CardReaderTestBench>,
): void => {
  describe(`${name} as a card reader`, () => {
    it('reports the UID in lower-case hex with leading zeros, once per tap', async context => {
      const bench = await open(context);
      const uids: string[] = [];
      bench.reader.onCard(uid => uids.push(uid));
      const cards = bench.uids ?? everyLength;
      for (const uid of cards) await bench.tap(uid);
      await expect.poll(() => uids).toEqual(cards.map(uid => uid.toLowerCase()));
      await bench.close();
    });

    it('reports when it is unplugged and plugged in again, and then reads cards', async context => {
      const bench = await open(context);
      const faults: (PartFault | null)[] = [];
      const uids: string[] = [];
      bench.reader.onFault(fault => faults.push(fault));
      bench.reader.onCard(uid => uids.push(uid));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      const [uid] = bench.uids ?? everyLength;
      await bench.tap(uid!);
      await expect.poll(() => uids).toEqual([uid!.toLowerCase()]);
      await bench.close();
    });

    it('counts clean and failed readings, and reports no card for a failed one', { tags: ['slow'] }, async context => {
      const bench = await open(context);
      const { reader, misreading } = bench;
      if (misreading === undefined) {
        expect('signal' in reader).toBe(false);
        return bench.close();
      }
      const uids: string[] = [];
      reader.onCard(uid => uids.push(uid));
      const received = () => reader.signal?.()?.[misreading.side];
      const [uid] = bench.uids ?? everyLength;
      await bench.tap(uid!);
      await expect.poll(() => received()?.clean).toBeGreaterThan(0);
      const before = received()!;
      expect(before.broken).toBeLessThan(before.clean);
      await misreading.make();
      await expect.poll(() => received()?.broken).toBeGreaterThan(before.broken);
      // On a busy machine the line may seem silent at times.
      expect([before.worst ?? misreading.trouble, misreading.trouble]).toContain(received()?.worst);
      const { clean } = received()!;
      await bench.tap(uid!);
      await expect.poll(() => received()?.clean).toBeGreaterThan(clean);
      await expect.poll(() => uids).toHaveLength(2);
      await bench.close();
    });

    it('reports a phone by its proven key, not as a card', async context => {
      const bench = await open(context);
      const { reader } = bench;
      if (bench.tapPhone === undefined) {
        expect('onPhone' in reader).toBe(false);
        return bench.close();
      }
      const token = encodeMemberTokenSeed(new Uint8Array(32).fill(9));
      const keys: ProvenPhoneKey[] = [];
      const uids: string[] = [];
      reader.onPhone?.(key => keys.push(key));
      reader.onCard(uid => uids.push(uid));
      await bench.tapPhone(token);
      await expect.poll(() => keys).toEqual([toBase64url(toPhoneKey(token)!.publicKey)]);
      expect(uids).toEqual([]);
      await bench.close();
    });
  });
};
