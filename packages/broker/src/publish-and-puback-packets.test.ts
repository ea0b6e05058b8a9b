import { describe, expect, it } from 'vitest';
import { PacketSplitter } from './packet-splitter.ts';
import {
  isPlainPublishPacket,
  encodePuback,
  encodePublishHeader,
  encodePublishPacket,
  parsePublishPacket,
} from './publish-and-puback-packets.ts';

/* Bytes of the MQTT 3.1.1 standard, figures 3.10 (PUBLISH) and 3.12 (PUBACK). */
const golden = Buffer.from('320a0003612f62000a68692e', 'hex');

const read = (bytes: Buffer) => {
  const found: ReturnType<typeof parsePublishPacket>[] = [];
  new PacketSplitter(100_000).push(bytes, packet => found.push(parsePublishPacket(packet)));
  return found[0];
};

describe('MQTT packets', () => {
  describe('PUBLISH', () => {
    it('is decoded and encoded byte for byte', () => {
      expect(read(golden)).toEqual({ topic: 'a/b', id: 10, payload: Buffer.from('hi.') });
      expect(encodePublishPacket(encodePublishHeader('a/b', 3, 1), 10, Buffer.from('hi.'))).toEqual(golden);
    });

    it('has no id at QoS 0', () => {
      const packet = encodePublishPacket(encodePublishHeader('a/b', 2, 0), null, Buffer.from('hi'));
      expect(packet.toString('hex')).toBe('30070003612f626869');
      expect(read(packet)).toEqual({ topic: 'a/b', id: null, payload: Buffer.from('hi') });
    });

    it.each([127, 128, 16_383, 16_384, 70_000])('is decoded again with a payload of %i bytes', length => {
      const payload = Buffer.alloc(length, 7);
      expect(read(encodePublishPacket(encodePublishHeader('lintel/é', length, 1), 0xffff, payload))).toEqual({
        topic: 'lintel/é',
        id: 0xffff,
        payload,
      });
    });

    it.each([
      ['without room for a topic', '3000'],
      ['whose topic is longer than the packet', '320400096162'],
      ['without room for its id', '32050003612f62'],
      ['with the id 0', '32070003612f620000'],
    ])('is malformed: %s', (_, hex) => {
      expect(read(Buffer.from(hex, 'hex'))).toBeNull();
    });

    it.each([
      [0x30, true],
      [0x32, true],
      [0x3a, true],
      [0x31, false],
      [0x34, false],
      [0x36, false],
      [0x40, false],
    ])('with the first byte %i is forwarded without the full parser: %s', (first, is) => {
      expect(isPlainPublishPacket(first)).toBe(is);
    });
  });

  it('PUBACK carries the packet id', () => {
    expect(encodePuback(0x1234).toString('hex')).toBe('40021234');
  });
});
