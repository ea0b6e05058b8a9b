import { crc32 } from 'node:zlib';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** An event on disk. The checksum covers the sequence, so that rows cannot be swapped. */
export interface StoredEventRow {
  readonly sequence: number;
  readonly crc: number;
  readonly body: string;
}

const checksum = (sequence: number, body: string): number => crc32(`${sequence}:${body}`);

export const toStoredEventRow = (event: DeviceEvent): StoredEventRow => {
  const { sequence } = event;
  const body = JSON.stringify(event);
  return { sequence, crc: checksum(sequence, body), body };
};

/**
 * Added to the checksum of a confirmed row, so that a single flipped bit cannot mark a waiting event as confirmed.
 */
export const CONFIRMED_CRC_OFFSET = 2 ** 32;

export const isEventRowConfirmed = ({ crc }: Pick<StoredEventRow, 'crc'>): boolean => crc >= CONFIRMED_CRC_OFFSET;

export const isEventRowIntact = ({ sequence, crc, body }: StoredEventRow): boolean =>
  checksum(sequence, body) === (isEventRowConfirmed({ crc }) ? crc - CONFIRMED_CRC_OFFSET : crc);

/** Null when the row is damaged. */
export const parseStoredEventRow = (row: StoredEventRow): DeviceEvent | null =>
  isEventRowIntact(row) ? { ...(JSON.parse(row.body) as Omit<DeviceEvent, 'sequence'>), sequence: row.sequence } : null;
