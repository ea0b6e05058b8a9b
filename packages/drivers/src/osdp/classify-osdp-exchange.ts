import type { CardReadingErrorKind } from '../interfaces/reader-signal-quality.ts';
import type { OsdpBusInput, OsdpBusState } from './bus-state-machine.ts';
import type { ReceivedOsdpPacket } from './packet.ts';

const NAK = 0x41;
/** Wrong check bytes or sequence number: the reader received a damaged command. */
const HEARD_DAMAGED: readonly number[] = [1, 4];

const isHeardDamaged = ({ id, security, data }: ReceivedOsdpPacket): boolean =>
  id === NAK && security === null && HEARD_DAMAGED.includes(data[0] ?? 0);

/**
 * The result of the exchange that ended with this step; null if none ended. A timeout does not count for a reader
 * known to be absent, because being unplugged says nothing about its signal.
 */
export const classifyOsdpExchange = (
  before: OsdpBusState,
  input: OsdpBusInput,
  next: OsdpBusState,
  hasHeardDamage: boolean,
): 'clean' | CardReadingErrorKind | null => {
  const { waiting } = before;
  if (waiting === null || waiting.place === null || waiting === next.waiting) return null;
  if (input.type === 'packet') return isHeardDamaged(input.packet) ? 'refused' : 'clean';
  if (input.type !== 'timer') return null;
  if (hasHeardDamage) return 'damaged';
  const { heard_at, fault } = before.peripherals[waiting.place]!;
  return heard_at === null || fault?.kind === 'absent' ? null : 'silent';
};
