import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { describe, expect, it } from 'vitest';
import { appendCrcA } from './chip.ts';
import { Rc522Reader } from './reader.ts';
import { SimulatedRc522 } from '@lintel/test/support/hardware/simulated-rc522';
import { type CardReaderTestBench, cardReaderContract } from '../testing/card-reader-contract.ts';

const SEARCHES_UNTIL_GONE = 8;

const open = async (first: string | null = null) => {
  const chip = new SimulatedRc522();
  chip.uid = first;
  const reader = new Rc522Reader({ open: () => chip, clock: new ProcessClock(), log: () => undefined });
  const away = async (): Promise<void> => {
    chip.uid = null;
    await expect.poll(() => chip.searchesWithoutCard).toBeGreaterThan(SEARCHES_UNTIL_GONE);
  };
  const tap = async (uid: string): Promise<void> => {
    const before = chip.searchesWithCard;
    chip.uid = uid.toLowerCase();
    await expect.poll(() => chip.searchesWithCard).toBeGreaterThan(before + 1);
    await away();
  };
  await expect.poll(() => chip.searchesWithCard + chip.searchesWithoutCard).toBeGreaterThan(0);
  return { chip, reader, tap, away };
};

const openBench = async (): Promise<CardReaderTestBench> => {
  const { chip, reader, tap, away } = await open();
  return {
    reader,
    tap,
    misreading: {
      side: 'cards',
      trouble: 'lost',
      make: async () => {
        chip.answersToDamage = 3;
        chip.uid = '04a1b2c3';
        await expect.poll(() => chip.answersToDamage).toBe(2);
        chip.uid = null;
        chip.answersToDamage = 0;
        await away();
      },
    },
    unplug: async () => void (chip.isPowered = false),
    plugIn: async () => {
      chip.reset();
      chip.isPowered = true;
    },
    close: () => reader.close(),
  };
};

cardReaderContract('RC522', openBench);

describe('Rc522Reader', () => {
  it('ignores a card that lies on it at start until it is presented again', async () => {
    const { reader, tap, away } = await open('04a1b2c3');
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await away();
    expect(uids).toEqual([]);
    await tap('04a1b2c3');
    expect(uids).toEqual(['04a1b2c3']);
    await reader.close();
  });

  it('sets the chip up again after it has lost power for a moment', async () => {
    const { chip, reader, tap } = await open();
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    chip.reset();
    await tap('04a1b2c3d4e5f6');
    expect(uids).toEqual(['04a1b2c3d4e5f6']);
    await reader.close();
  });

  it('sends the bytes of the data sheets', async () => {
    const { chip, reader } = await open();
    await reader.close();
    expect(chip.transfers.slice(0, 10)).toEqual([
      'w 1 f',
      'r 37 92',
      'w 2a 80',
      'w 2b a9',
      'w 2c 0',
      'w 2d c8',
      'w 15 40',
      'w 11 3d',
      'r 14 80',
      'w 14 83',
    ]);
    // HLTA with the CRC that the standard gives.
    expect(Buffer.from(appendCrcA(Uint8Array.of(0x50, 0x00))).toString('hex')).toBe('500057cd');
  });
});
