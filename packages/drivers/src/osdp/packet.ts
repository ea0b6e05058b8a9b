import { computeOsdpChecksum, computeOsdpCrc } from './crc-and-checksum.ts';

export const OSDP_PACKET_START = 0x53;
/** Start, address, two bytes of length, control. */
export const OSDP_PACKET_HEADER_BYTES = 5;

const FROM_PERIPHERAL = 0x80;
const SEQUENCE = 0x03;
export const OSDP_CRC_FLAG = 0x04;
const WITH_SECURITY = 0x08;

const MAC_BYTES = 4;

/** Types of the security block. */
export const OSDP_SECURITY_BLOCK_TYPES = {
  challenge: 0x11,
  peripheral_cryptogram: 0x12,
  panel_cryptogram: 0x13,
  initial_mac: 0x14,
  command_mac: 0x15,
  reply_mac: 0x16,
  command_encrypted: 0x17,
  reply_encrypted: 0x18,
} as const;

interface SecurityBlock {
  readonly type: number;
  readonly data: Uint8Array;
}

export interface OsdpPacket {
  readonly address: number;
  readonly from_peripheral: boolean;
  readonly sequence: number;
  readonly crc: boolean;
  readonly security: SecurityBlock | null;
  /** The code of the command or the reply. */
  readonly id: number;
  readonly data: Uint8Array;
}

export interface ReceivedOsdpPacket extends OsdpPacket {
  /** Null for security blocks without a MAC. */
  readonly mac: Uint8Array | null;
  /** All bytes before the MAC, which it covers. */
  readonly covered: Uint8Array;
}

const hasMac = ({ type }: SecurityBlock): boolean =>
  type >= OSDP_SECURITY_BLOCK_TYPES.command_mac && type <= OSDP_SECURITY_BLOCK_TYPES.reply_encrypted;

const checkBytes = (control: number): number => ((control & OSDP_CRC_FLAG) === 0 ? 1 : 2);

/** Without the leading mark byte. `macOf` gets all bytes before the MAC. */
export const encodeOsdpPacket = (packet: OsdpPacket, macOf: (covered: Uint8Array) => Uint8Array): Uint8Array => {
  const { security, data, crc } = packet;
  const block = security === null ? [] : [2 + security.data.length, security.type, ...security.data];
  const mac_at = OSDP_PACKET_HEADER_BYTES + block.length + 1 + data.length;
  const check_at = mac_at + (security !== null && hasMac(security) ? MAC_BYTES : 0);
  const bytes = new Uint8Array(check_at + (crc ? 2 : 1));
  const address = packet.address | (packet.from_peripheral ? FROM_PERIPHERAL : 0);
  const control = packet.sequence | (crc ? OSDP_CRC_FLAG : 0) | (security === null ? 0 : WITH_SECURITY);
  bytes.set([OSDP_PACKET_START, address, bytes.length & 0xff, bytes.length >> 8, control, ...block, packet.id]);
  bytes.set(data, mac_at - data.length);
  if (check_at > mac_at) bytes.set(macOf(bytes.subarray(0, mac_at)).subarray(0, MAC_BYTES), mac_at);
  if (crc) {
    const value = computeOsdpCrc(bytes, 0, check_at);
    bytes.set([value & 0xff, value >> 8], check_at);
  } else bytes[check_at] = computeOsdpChecksum(bytes, 0, check_at);
  return bytes;
};

const securityBlock = (bytes: Uint8Array, end: number): SecurityBlock | null => {
  const length = bytes[OSDP_PACKET_HEADER_BYTES]!;
  if (length < 2 || OSDP_PACKET_HEADER_BYTES + length >= end) return null;
  return {
    type: bytes[OSDP_PACKET_HEADER_BYTES + 1]!,
    data: bytes.subarray(OSDP_PACKET_HEADER_BYTES + 2, OSDP_PACKET_HEADER_BYTES + length),
  };
};

/** Decodes one intact packet. Null if its parts exceed its length. */
export const decodeOsdpPacket = (bytes: Uint8Array): ReceivedOsdpPacket | null => {
  const control = bytes[4]!;
  const check_at = bytes.length - checkBytes(control);
  const secured = (control & WITH_SECURITY) !== 0;
  const security = secured ? securityBlock(bytes, check_at) : null;
  if (secured && security === null) return null;
  const id_at = OSDP_PACKET_HEADER_BYTES + (security === null ? 0 : 2 + security.data.length);
  const mac_at = check_at - (security !== null && hasMac(security) ? MAC_BYTES : 0);
  if (id_at >= mac_at) return null;
  return {
    address: bytes[1]! & ~FROM_PERIPHERAL,
    from_peripheral: (bytes[1]! & FROM_PERIPHERAL) !== 0,
    sequence: control & SEQUENCE,
    crc: (control & OSDP_CRC_FLAG) !== 0,
    security,
    id: bytes[id_at]!,
    data: bytes.subarray(id_at + 1, mac_at),
    mac: mac_at === check_at ? null : bytes.subarray(mac_at, check_at),
    covered: bytes.subarray(0, mac_at),
  };
};
