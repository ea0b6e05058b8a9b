import { phoneKeyOf } from '@lintel/device-runtime/adapters/phone/phone-key';
import type { CardReader, ProvenKey } from '@lintel/device-runtime/ports/card-reader';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import type { SignalTrouble } from '@lintel/device-runtime/ports/reader-signal';
import { toBase64url } from '@lintel/wire-protocol/mqtt/base64url';
import { encodeMemberToken } from '@lintel/wire-protocol/phone/member-token';
import { describe, expect, it, type TestContext } from 'vitest';

/** A reader, and somebody with cards. */
export interface CardReaderBench {
  readonly reader: CardReader;
  /** Cards that this kind of reader can read, where it cannot read all. */
  readonly uids?: readonly string[];
  /** Holds a card of this uid to the reader and takes it away again. */
  tap(uid: string): Promise<void>;
  /** The same with a phone that holds this member token, where the reader can talk to phones. */
  tapPhone?(token: string): Promise<void>;
  /** Makes one reading come to nothing, where the driver sees such a thing. */
  readonly misreading?: {
    readonly side: 'line' | 'cards';
    readonly trouble: SignalTrouble;
    make(): Promise<void>;
  };
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

const everyLength = ['00A1B2C3', '00a1b2c3', '04000000000001', '0403020100ffeeddccbb'];

/** Faults show within two seconds, and what comes back is seen as soon. */
const soon = { timeout: 2_000, interval: 20 };
const patiently = { timeout: 10_000, interval: 20 };

export const cardReaderContract = (name: string, open: (context: TestContext) => Promise<CardReaderBench>): void => {
  describe(`${name} as a card reader`, () => {
    it('tells the uid in lower-case hex with all its zeros, once for each tap', async context => {
      const bench = await open(context);
      const uids: string[] = [];
      bench.reader.onCard(uid => uids.push(uid));
      const cards = bench.uids ?? everyLength;
      for (const uid of cards) await bench.tap(uid);
      await expect.poll(() => uids).toEqual(cards.map(uid => uid.toLowerCase()));
      await bench.close();
    });

    it('tells when it is gone and when it is back, and works again', async context => {
      const bench = await open(context);
      const faults: (PartFault | null)[] = [];
      const uids: string[] = [];
      bench.reader.onFault(fault => faults.push(fault));
      bench.reader.onCard(uid => uids.push(uid));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind, soon).toBe('absent');
      await bench.plugIn();
      await expect.poll(() => faults.at(-1), patiently).toBeNull();
      const [uid] = bench.uids ?? everyLength;
      await bench.tap(uid!);
      await expect.poll(() => uids).toEqual([uid!.toLowerCase()]);
      await bench.close();
    });

    it('counts what it reads cleanly and what it does not, and tells nobody of the latter', async context => {
      const bench = await open(context);
      const { reader, misreading } = bench;
      if (misreading === undefined) {
        expect('signal' in reader).toBe(false);
        return bench.close();
      }
      const uids: string[] = [];
      reader.onCard(uid => uids.push(uid));
      const heard = () => reader.signal?.()?.[misreading.side];
      const [uid] = bench.uids ?? everyLength;
      await bench.tap(uid!);
      await expect.poll(() => heard()?.clean, patiently).toBeGreaterThan(0);
      const before = heard()!;
      expect(before.broken).toBeLessThan(before.clean);
      await misreading.make();
      await expect.poll(() => heard()?.broken, patiently).toBeGreaterThan(before.broken);
      // A machine that is very busy makes a line seem silent now and then.
      expect([before.worst ?? misreading.trouble, misreading.trouble]).toContain(heard()?.worst);
      const { clean } = heard()!;
      await bench.tap(uid!);
      await expect.poll(() => heard()?.clean, patiently).toBeGreaterThan(clean);
      await expect.poll(() => uids, patiently).toHaveLength(2);
      await bench.close();
    });

    it('tells a phone by the key that it has proven, and not as a card', async context => {
      const bench = await open(context);
      const { reader } = bench;
      if (bench.tapPhone === undefined) {
        expect('onPhone' in reader).toBe(false);
        return bench.close();
      }
      const token = encodeMemberToken(new Uint8Array(32).fill(9));
      const keys: ProvenKey[] = [];
      const uids: string[] = [];
      reader.onPhone?.(key => keys.push(key));
      reader.onCard(uid => uids.push(uid));
      await bench.tapPhone(token);
      await expect.poll(() => keys).toEqual([toBase64url(phoneKeyOf(token)!.publicKey)]);
      expect(uids).toEqual([]);
      await bench.close();
    });
  });
};
