import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { encodeOsdpCommand } from './encode-osdp-command.ts';
import { encodeOsdpPacket, type ReceivedOsdpPacket } from './packet.ts';
import type { OsdpPeripheralSetup, OsdpPeripheralState } from './peripheral-state-types.ts';

const HIGHEST_ADDRESS = 126;
const PAUSE_MS = 20;

/** Looks for a reader at the addresses that the profile does not use, while a replaced reader does not respond. */
export interface OsdpAddressProbe {
  /** Asked next, or now. */
  readonly address: number;
  readonly due_at: MonotonicTime;
  /** A reader that the profile does not name responds here. */
  readonly found: number | null;
}

/** It is being replaced, and no reader responds at its address. */
export const isOsdpReplacementMissing = (
  { replacement, fault }: Pick<OsdpPeripheralState, 'replacement' | 'fault'>,
  now: MonotonicTime,
): boolean => replacement !== null && now < replacement.until && fault?.kind === 'absent';

const noMac = (): never => {
  throw new Error('There is no MAC outside a secure channel');
};

/** Asks for the identity only. A reader without a key, or with another one, answers or refuses: both show that it is there. */
export const encodeOsdpProbe = (address: number, crc: boolean): Uint8Array =>
  encodeOsdpPacket(
    { address, sequence: 0, crc, from_peripheral: false, security: null, ...encodeOsdpCommand({ type: 'id' }) },
    noMac,
  );

/** The next address that no peripheral of the bus has. */
const following = (address: number, setups: readonly OsdpPeripheralSetup[]): number => {
  const used = new Set(setups.map(setup => setup.address));
  let next = address;
  do next = next === HIGHEST_ADDRESS ? 0 : next + 1;
  while (used.has(next) && next !== address);
  return next;
};

export const createOsdpAddressProbe = (
  setups: readonly OsdpPeripheralSetup[],
  now: MonotonicTime,
): OsdpAddressProbe => ({ address: following(HIGHEST_ADDRESS, setups), due_at: now, found: null });

export const isProbeReply = ({ address }: OsdpAddressProbe, packet: ReceivedOsdpPacket): boolean =>
  packet.from_peripheral && packet.address === address;

/** After the answer or its timeout. */
export const finishOsdpProbe = (
  probe: OsdpAddressProbe,
  setups: readonly OsdpPeripheralSetup[],
  hasAnswered: boolean,
  now: MonotonicTime,
): OsdpAddressProbe => {
  const gone = probe.found === probe.address ? null : probe.found;
  return {
    address: following(probe.address, setups),
    due_at: addMilliseconds(now, PAUSE_MS),
    found: hasAnswered ? probe.address : gone,
  };
};
