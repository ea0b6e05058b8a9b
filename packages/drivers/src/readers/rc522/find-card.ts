import type { Rc522Response, Rc522Chip } from './rc522-chip.ts';

/* ISO 14443-3, type A: wake up, then one to three rounds of anticollision and selection for uids of 4, 7 and 10 bytes. */

const WAKE_UP = 0x52;
const SELECT: readonly number[] = [0x93, 0x95, 0x97];
const ANTICOLLISION_BITS = 0x20;
const SELECT_BITS = 0x70;
const CASCADE_TAG = 0x88;
const UID_IS_INCOMPLETE = 0x04;
const HALT = Uint8Array.of(0x50, 0x00);

/** CRC-A: polynomial 0x1021 reflected, initial 0x6363, low byte first. */
export const appendCrcA = (bytes: Uint8Array): Uint8Array => {
  let crc = 0x6363;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
  }
  return Uint8Array.of(...bytes, crc & 0xff, crc >>> 8);
};

export type Rc522CardSearchResult =
  | { readonly type: 'card'; readonly uid: Uint8Array }
  | { readonly type: 'none' }
  /** A card is there but was not read. */
  | { readonly type: 'unread' };

const bytesOf = (answer: Rc522Response, length: number): Uint8Array | null =>
  answer.type === 'bytes' && answer.bytes.length === length ? answer.bytes : null;

const hasRightCrc = (answer: Uint8Array): boolean => {
  const expected = appendCrcA(answer.subarray(0, 1));
  return answer[1] === expected[1] && answer[2] === expected[2];
};

/** One round: four bytes of the uid, or three after the cascade tag. Null if it was not read. */
const readLevel = async (
  chip: Rc522Chip,
  select: number,
): Promise<{ readonly part: Uint8Array; readonly isLast: boolean } | null> => {
  const answer = bytesOf(await chip.transceive(Uint8Array.of(select, ANTICOLLISION_BITS)), 5);
  if (answer === null || answer.reduce((sum, byte) => sum ^ byte, 0) !== 0) return null;
  const selected = bytesOf(await chip.transceive(appendCrcA(Uint8Array.of(select, SELECT_BITS, ...answer))), 3);
  if (selected === null || !hasRightCrc(selected)) return null;
  const isLast = (selected[0]! & UID_IS_INCOMPLETE) === 0;
  if (!isLast && answer[0] !== CASCADE_TAG) return null;
  return { part: isLast ? answer.subarray(0, 4) : answer.subarray(1, 4), isLast };
};

/** Searches for one card and puts it to sleep again, so that the next search finds it again while it is present. */
export const findRc522Card = async (chip: Rc522Chip): Promise<Rc522CardSearchResult> => {
  const answer = await chip.transceive(Uint8Array.of(WAKE_UP), 7);
  if (answer.type === 'none') return { type: 'none' };
  const uid: number[] = [];
  for (const select of SELECT) {
    const level = await readLevel(chip, select);
    if (level === null) return { type: 'unread' };
    uid.push(...level.part);
    if (!level.isLast) continue;
    await chip.transceive(appendCrcA(HALT));
    return { type: 'card', uid: Uint8Array.from(uid) };
  }
  return { type: 'unread' };
};
