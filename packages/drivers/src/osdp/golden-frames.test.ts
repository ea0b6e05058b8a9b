import { describe, expect, it } from 'vitest';
import { nodeAesCipher } from './aes.ts';
import { type OsdpCommand, encodeOsdpCommand } from './encode-osdp-command.ts';
import { encodeOsdpPacket, type OsdpPacket } from './packet.ts';
import { OsdpPacketStream } from './packet-stream.ts';
import { decodeOsdpReply } from './decode-osdp-reply.ts';
import {
  computeOsdpCryptogram,
  computeInitialOsdpMac,
  OSDP_INSTALLATION_KEY,
  sealOsdpCommand,
  deriveOsdpSessionKeys,
} from './secure-session.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/[\s-]/g, ''), 'hex'));
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');
const noMac = (): never => {
  throw new Error('there is no MAC in the clear');
};

const inTheClear = (command: OsdpCommand, fields: Partial<OsdpPacket> = {}): string => {
  const packet = { address: 0, sequence: 0, crc: true, from_peripheral: false, security: null, ...fields };
  return hex(encodeOsdpPacket({ ...packet, ...encodeOsdpCommand(command) }, noMac));
};

const frame = (text: string): string => hex(bytes(text));

const key = bytes('00010203 04050607 00010203 04050607');

// Annex E of the standard, as the unit tests of libosdp quote it, and frames of libosdp's own unit tests.
describe('frames of the OSDP standard', () => {
  it.each<[string, OsdpCommand, Partial<OsdpPacket>]>([
    ['53 00 09 00 04 61 00 C0 66', { type: 'id' }, {}],
    ['53 00 08 00 00 61 00 44', { type: 'id' }, { crc: false }],
    ['53 65 08 00 04 60 60 90', { type: 'poll' }, { address: 0x65 }],
    ['53 65 09 00 04 61 00 D9 7A', { type: 'id' }, { address: 0x65 }],
    ['53 65 07 00 00 60 E1', { type: 'poll' }, { address: 0x65, crc: false }],
    [
      '53 65 10 00 04 76 01 02 03 04 05 06 07 08 0D 20',
      { type: 'chlng', random: bytes('0102030405060708') },
      { address: 0x65 },
    ],
  ])('are encoded: %s', (golden, command, fields) => {
    expect(inTheClear(command, fields)).toBe(frame(golden));
  });

  it.each([
    ['53 E5 08 00 06 40 B0 F0', 0x65, 2, { type: 'ack' }],
    ['53 E5 09 00 05 41 01 0E 8F', 0x65, 1, { type: 'nak', reason: 1 }],
  ])('are decoded: %s', (golden, address, sequence, reply) => {
    const [packet] = new OsdpPacketStream().take(bytes(golden));
    expect(packet).toMatchObject({ address, sequence, from_peripheral: true, crc: true, security: null, mac: null });
    expect(decodeOsdpReply(packet!.id, packet!.data)).toEqual(reply);
  });
});

// The same annex: default key, randoms B0… of the panel and A0… of the reader.
describe('secure channel of the OSDP standard', () => {
  const panel = bytes('B0B1B2B3B4B5B6B7');
  const reader = bytes('A0A1A2A3A4A5A6A7');
  const keys = deriveOsdpSessionKeys(nodeAesCipher, OSDP_INSTALLATION_KEY, panel);

  it('derives the session keys', () => {
    expect(hex(keys.enc)).toBe('bf8dc2a8329acb8c67c6d0cd9a451682');
    expect(hex(keys.mac1)).toBe('5e86c676603bdee2d8beafe178637332');
    expect(hex(keys.mac2)).toBe('6fda86e857777e81132035758239172e');
  });

  it('computes both cryptograms and the first MAC', () => {
    const host = computeOsdpCryptogram(nodeAesCipher, keys, reader, panel);
    expect(hex(host)).toBe('26d3356e07762d262801fc8e6665a891');
    expect(hex(computeOsdpCryptogram(nodeAesCipher, keys, panel, reader))).toBe('fde5d2f428ec16312471ea3c02bd7796');
    expect(hex(computeInitialOsdpMac(nodeAesCipher, keys, host))).toBe('b2a30057eb98ba2229ec1f875662b524');
  });
});

// The unit tests of OSDP.Net: address 0, sequence 2, session keys and MAC of zeros.
describe('frames of OSDP.Net', () => {
  const zeros = new Uint8Array(16);
  const session = { enc: zeros, mac1: zeros, mac2: zeros, command_mac: zeros, reply_mac: zeros };
  const sealed = (command: OsdpCommand): string =>
    hex(
      sealOsdpCommand(nodeAesCipher, session, { address: 0, sequence: 2, crc: true, ...encodeOsdpCommand(command) })
        .bytes,
    );

  it.each<[OsdpCommand['type'], OsdpCommand, string, string]>([
    ['poll', { type: 'poll' }, '53-00-08-00-06-60-89-CC', '53-00-0E-00-0E-02-15-60-4B-32-76-77-73-B6'],
    [
      'id',
      { type: 'id' },
      '53-00-09-00-06-61-00-A0-08',
      '53-00-1E-00-0E-02-17-61-D1-4E-B7-AD-98-2C-C5-F9-AA-25-31-8A-7E-AE-D6-26-9A-E9-95-73-19-83',
    ],
    [
      'cap',
      { type: 'cap' },
      '53-00-09-00-06-62-00-F3-5D',
      '53-00-1E-00-0E-02-17-62-D1-4E-B7-AD-98-2C-C5-F9-AA-25-31-8A-7E-AE-D6-26-0F-6A-2A-A7-38-70',
    ],
    ['lstat', { type: 'lstat' }, '53-00-08-00-06-64-0D-8C', '53-00-0E-00-0E-02-15-64-6F-63-24-6F-D0-50'],
    ['istat', { type: 'istat' }, '53-00-08-00-06-65-2C-9C', '53-00-0E-00-0E-02-15-65-46-0E-3D-4E-2A-6A'],
    [
      'keyset',
      { type: 'keyset', key },
      '53-00-1A-00-06-75-01-10-00-01-02-03-04-05-06-07-00-01-02-03-04-05-06-07-CF-A3',
      '53-00-2E-00-0E-02-17-75-F0-DD-EC-9A-0E-D8-CE-4C-80-BA-F5-D5-5C-18-43-6F-91-89-FD-66-C9-F2-23-DC-04-14-86-D8-33-57-DF-98-6C-1D-4B-C2-B2-F2',
    ],
  ])('are encoded in the clear and encrypted: %s', (_, command, clear, secure) => {
    expect(inTheClear(command, { sequence: 2 })).toBe(frame(clear));
    expect(sealed(command)).toBe(frame(secure));
  });

  it('are decoded from readers', () => {
    const stream = new OsdpPacketStream();
    const replies = ['53-80-08-00-05-40-68-9F', '53-80-14-00-06-45-00-0E-E3-10-10-00-00-74-97-23-06-06-1B-88'].flatMap(
      golden => stream.take(bytes(golden)).map(({ id, data }) => decodeOsdpReply(id, data)),
    );
    expect(replies).toEqual([
      { type: 'ack' },
      {
        type: 'pdid',
        identity: { vendor: '000ee3', model: 0x10, version: 0x10, serial: 0x97740000, firmware: '35.6.6' },
      },
    ]);
  });

  it('encode a text with its kind, time, place and length', () => {
    const { id, data } = encodeOsdpCommand({ type: 'text', reader: 0, text: 'Hi', seconds: 3 });
    expect([id, hex(data)]).toEqual([0x6b, '0003030101024869']);
    expect(hex(encodeOsdpCommand({ type: 'text', reader: 1, text: 'Hi', seconds: null }).data)).toBe(
      '0101000101024869',
    );
  });

  it('include the captured beep command', () => {
    const captured = bytes('53-00-0D-00-06-6A-00-02-02-02-01-59-92');
    const ours = bytes(inTheClear({ type: 'buz', reader: 0, on_ticks: 2, count: 1 }, { sequence: 2 }));
    expect(hex(ours.subarray(0, 9))).toBe(hex(captured.subarray(0, 9)));
    expect(new OsdpPacketStream().take(captured)).toHaveLength(1);
  });
});
