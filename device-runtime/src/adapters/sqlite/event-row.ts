import { crc32 } from 'node:zlib';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** One event as it lies on the disk. The check sum covers the sequence too, so that no row passes for another. */
export interface EventRow {
  readonly sequence: number;
  readonly crc: number;
  readonly body: string;
}

const checkSum = (sequence: number, body: string): number => crc32(`${sequence}:${body}`);

export const toRow = ({ sequence, ...rest }: DeviceEvent): EventRow => {
  const body = JSON.stringify(rest);
  return { sequence, crc: checkSum(sequence, body), body };
};

export const isIntact = ({ sequence, crc, body }: EventRow): boolean => checkSum(sequence, body) === crc;

/** Null when the row is not what was written. */
export const fromRow = (row: EventRow): DeviceEvent | null =>
  isIntact(row) ? { ...(JSON.parse(row.body) as Omit<DeviceEvent, 'sequence'>), sequence: row.sequence } : null;
