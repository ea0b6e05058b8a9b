import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { encodeOsdpCommand, type OsdpCommand } from './encode-osdp-command.ts';
import { encodeOsdpPacket } from './packet.ts';
import { OsdpPacketStream } from './packet-stream.ts';
import { decodeOsdpReply, type OsdpReply } from './decode-osdp-reply.ts';

export interface OsdpReaderSettings {
  readonly address: number;
  readonly baud_rate: number;
}

export interface ConfigureOsdpReaderOptions {
  /** With the present baud rate of the reader. No other program may use it. */
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  /** The present address. */
  readonly address: number;
  readonly crc: boolean;
}

const MARK = 0xff;
const REPLY_MS = 400;
const TRIES = 5;
const UNKNOWN_COMMAND = 3;

const noMac = (): never => {
  throw new Error('There is no MAC outside a secure channel');
};

/** Sends a command until the reader has replied. */
const exchange = async (
  { line, clock, address, crc }: ConfigureOsdpReaderOptions,
  sequence: number,
  command: OsdpCommand,
): Promise<OsdpReply> => {
  const stream = new OsdpPacketStream();
  let take: (reply: OsdpReply | null) => void = () => undefined;
  line.onBytes(bytes => {
    for (const packet of stream.take(bytes))
      if (packet.from_peripheral && packet.address === address && packet.sequence === sequence)
        take(decodeOsdpReply(packet.id, packet.data));
  });
  const fields = { address, sequence, crc, from_peripheral: false, security: null };
  const packet = encodeOsdpPacket({ ...fields, ...encodeOsdpCommand(command) }, noMac);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const reply = new Promise<OsdpReply | null>(resolve => {
      take = resolve;
      clock.wake(addMilliseconds(clock.now(), REPLY_MS), () => resolve(null));
    });
    await line.write(Uint8Array.of(MARK, ...packet));
    const received = await reply;
    if (received !== null && received.type !== 'busy') return received;
  }
  throw new Error(`No reader responds at address ${address}: check address, baud rate and wiring`);
};

/** Sets address and baud rate of a reader that is not paired. Returns what the reader has confirmed. */
export const configureOsdpReader = async (
  options: ConfigureOsdpReaderOptions,
  settings: OsdpReaderSettings,
): Promise<OsdpReaderSettings> => {
  // Sequence 0 starts over, whatever the reader did before.
  await exchange(options, 0, { type: 'id' });
  const reply = await exchange(options, 1, { type: 'comset', ...settings });
  if (reply.type === 'com') return { address: reply.address, baud_rate: reply.baud_rate };
  if (reply.type === 'nak' && reply.reason === UNKNOWN_COMMAND)
    throw new Error('The reader cannot be configured over the line: set the address at the reader');
  throw new Error('The reader refuses: a paired reader must be reset first, as its manual describes');
};
