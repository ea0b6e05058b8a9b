import type { SignalTrouble } from '../ports/reader-signal.ts';
import type { BusInput, BusState } from './bus.ts';
import type { ReceivedPacket } from './packet.ts';

const NAK = 0x41;
/** Wrong check bytes, wrong number: the reader has not heard what was said, or not all of it. */
const HEARD_DAMAGED: readonly number[] = [1, 4];

const isHeardDamaged = ({ id, security, data }: ReceivedPacket): boolean =>
  id === NAK && security === null && HEARD_DAMAGED.includes(data[0] ?? 0);

/**
 * How the question went that ended with this step; null when none did. Silence does not count against a reader that is
 * known to be away: it is unplugged, which is no matter of its signal.
 */
export const lineReading = (
  before: BusState,
  input: BusInput,
  next: BusState,
  hasHeardDamage: boolean,
): 'clean' | SignalTrouble | null => {
  const { waiting } = before;
  if (waiting === null || waiting === next.waiting) return null;
  if (input.type === 'packet') return isHeardDamaged(input.packet) ? 'refused' : 'clean';
  if (input.type !== 'timer') return null;
  if (hasHeardDamage) return 'damaged';
  const { heard_at, fault } = before.peripherals[waiting.place]!;
  return heard_at === null || fault?.kind === 'absent' ? null : 'silent';
};
