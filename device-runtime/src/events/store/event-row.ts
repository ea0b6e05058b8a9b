import { crc32 } from 'node:zlib';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** One event as it lies on the disk. The check sum covers the sequence too, so that no row passes for another. */
export interface EventRow {
  readonly sequence: number;
  readonly crc: number;
  readonly body: string;
}

const checkSum = (sequence: number, body: string): number => crc32(`${sequence}:${body}`);

export const toRow = (event: DeviceEvent): EventRow => {
  const { sequence } = event;
  const body = JSON.stringify(event);
  return { sequence, crc: checkSum(sequence, body), body };
};

/**
 * Added to the check sum of a row that the bridge has confirmed: one turned bit must not make an event that still waits
 * look like one that has arrived.
 */
export const CONFIRMED = 2 ** 32;

export const isConfirmed = ({ crc }: Pick<EventRow, 'crc'>): boolean => crc >= CONFIRMED;

export const isIntact = ({ sequence, crc, body }: EventRow): boolean =>
  checkSum(sequence, body) === (isConfirmed({ crc }) ? crc - CONFIRMED : crc);

/** Null when the row is not what was written. */
export const fromRow = (row: EventRow): DeviceEvent | null =>
  isIntact(row) ? { ...(JSON.parse(row.body) as Omit<DeviceEvent, 'sequence'>), sequence: row.sequence } : null;
