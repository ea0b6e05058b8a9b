import type { Client } from 'aedes';

export interface BrokerLimits {
  /** Of one message that comes up. */
  readonly largestPayload: number;
  /** What may wait for one subscriber. Whoever falls further behind is cut off and begins anew. */
  readonly mostQueuedBytes: number;
  /** How long a subscriber may take nothing at all. */
  readonly stalledMs: number;
}

export const defaultLimits: BrokerLimits = {
  largestPayload: 1024 * 1024,
  mostQueuedBytes: 16 * 1024 * 1024,
  stalledMs: 20_000,
};

/** The rest of a packet: topic, identifiers, a will. */
const PACKET_OVERHEAD = 4096;

interface PacketParser {
  readonly packet?: { readonly length?: number };
}

/**
 * The broker gathers a packet until it is whole, however long it says it is. Seen here after each read, so that one that
 * is too long is cut off when its first bytes are there.
 */
export const cutOversizedPackets = (client: Client, { largestPayload }: BrokerLimits): void => {
  const parser = (client as unknown as { readonly _parser: PacketParser })._parser;
  client.conn.on('readable', () => {
    if ((parser.packet?.length ?? 0) > largestPayload + PACKET_OVERHEAD) client.conn.destroy();
  });
};

export const isTooFarBehind = ({ conn }: Client, { mostQueuedBytes }: BrokerLimits): boolean =>
  conn.writableLength > mostQueuedBytes;
