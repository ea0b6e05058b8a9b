import type { AesCipher } from './aes.ts';
import { encodeOsdpPacket, type OsdpPacket, type ReceivedOsdpPacket, OSDP_SECURITY_BLOCK_TYPES } from './packet.ts';

const BLOCK_BYTES = 16;
const END_OF_DATA = 0x80;

/** The well-known default key of every unpaired reader. */
export const OSDP_INSTALLATION_KEY: Uint8Array = Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => 0x30 + at);

export interface OsdpSessionKeys {
  readonly enc: Uint8Array;
  readonly mac1: Uint8Array;
  readonly mac2: Uint8Array;
}

export interface OsdpSession extends OsdpSessionKeys {
  /** The last full MACs of each direction: each message is chained to the previous one. */
  readonly command_mac: Uint8Array;
  readonly reply_mac: Uint8Array;
}

export const deriveOsdpSessionKeys = (
  aes: AesCipher,
  base_key: Uint8Array,
  panel_random: Uint8Array,
): OsdpSessionKeys => {
  const derived = (first: number, second: number): Uint8Array => {
    const seed = new Uint8Array(BLOCK_BYTES);
    seed.set([first, second, ...panel_random.subarray(0, 6)]);
    return aes.block(base_key, seed);
  };
  return { enc: derived(0x01, 0x82), mac1: derived(0x01, 0x01), mac2: derived(0x01, 0x02) };
};

/**
 * Proves knowledge of the base key. The reader's cryptogram starts with the panel's random, the panel's with the
 * reader's.
 */
export const computeOsdpCryptogram = (
  aes: AesCipher,
  { enc }: OsdpSessionKeys,
  first: Uint8Array,
  second: Uint8Array,
): Uint8Array => aes.block(enc, Uint8Array.of(...first, ...second));

/** The MAC that the first command is chained to. */
export const computeInitialOsdpMac = (
  aes: AesCipher,
  { mac1, mac2 }: OsdpSessionKeys,
  panel_cryptogram: Uint8Array,
): Uint8Array => aes.block(mac2, aes.block(mac1, panel_cryptogram));

const padded = (data: Uint8Array): Uint8Array => {
  const blocks = new Uint8Array((Math.floor(data.length / BLOCK_BYTES) + 1) * BLOCK_BYTES);
  blocks.set(data);
  blocks[data.length] = END_OF_DATA;
  return blocks;
};

const unpadded = (blocks: Uint8Array): Uint8Array | null => {
  const end = blocks.findLastIndex(byte => byte !== 0);
  return blocks[end] === END_OF_DATA ? blocks.subarray(0, end) : null;
};

/** CBC under the first key except for the last block. Unlike data, whole blocks are not padded here. */
const macOf = (aes: AesCipher, { mac1, mac2 }: OsdpSessionKeys, iv: Uint8Array, covered: Uint8Array): Uint8Array => {
  const blocks = covered.length % BLOCK_BYTES === 0 ? covered : padded(covered);
  const last_at = blocks.length - BLOCK_BYTES;
  const chained = last_at === 0 ? iv : aes.chain(mac1, iv, blocks.subarray(0, last_at)).subarray(-BLOCK_BYTES);
  return aes.chain(mac2, chained, blocks.subarray(last_at));
};

const ENCRYPTED: readonly number[] = [
  OSDP_SECURITY_BLOCK_TYPES.command_encrypted,
  OSDP_SECURITY_BLOCK_TYPES.reply_encrypted,
];

const complement = (bytes: Uint8Array): Uint8Array => bytes.map(byte => ~byte);

type PlainCommand = Pick<OsdpPacket, 'address' | 'sequence' | 'crc' | 'id' | 'data'>;

export const sealOsdpCommand = (
  aes: AesCipher,
  session: OsdpSession,
  command: PlainCommand,
): { readonly bytes: Uint8Array; readonly session: OsdpSession } => {
  const empty = command.data.length === 0;
  const data = empty ? command.data : aes.chain(session.enc, complement(session.reply_mac), padded(command.data));
  const type = empty ? OSDP_SECURITY_BLOCK_TYPES.command_mac : OSDP_SECURITY_BLOCK_TYPES.command_encrypted;
  const security = { type, data: new Uint8Array(0) };
  let command_mac = session.command_mac;
  const bytes = encodeOsdpPacket({ ...command, from_peripheral: false, security, data }, covered => {
    command_mac = macOf(aes, session, session.reply_mac, covered);
    return command_mac;
  });
  return { bytes, session: { ...session, command_mac } };
};

const same = (a: Uint8Array, b: Uint8Array): boolean => a.every((byte, at) => byte === b[at]);

/** Null if the reply is not an authentic reply to the last command: changed, replayed or unencrypted. */
export const unsealOsdpReply = (
  aes: AesCipher,
  session: OsdpSession,
  { security, mac, covered, data }: ReceivedOsdpPacket,
): { readonly data: Uint8Array; readonly session: OsdpSession } | null => {
  // The MAC alone proves the reply. Some readers, such as libosdp in 2026, use the block type of a command.
  if (mac === null || security === null) return null;
  const encrypted = ENCRYPTED.includes(security.type);
  const reply_mac = macOf(aes, session, session.command_mac, covered);
  if (!same(mac, reply_mac)) return null;
  const opened = { ...session, reply_mac };
  if (!encrypted || data.length === 0) return { data, session: opened };
  if (data.length % BLOCK_BYTES !== 0) return null;
  const clear = unpadded(aes.unchain(session.enc, complement(session.command_mac), data));
  return clear === null ? null : { data: clear, session: opened };
};
