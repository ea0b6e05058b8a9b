import { PacketSplitter } from '@lintel/broker/packet-splitter';
import { isPlainPublishPacket, parsePublishPacket } from '@lintel/broker/publish-and-puback-packets';
import { decodeFrameBody } from '@lintel/device-link/session/frames/verify-frame';
import { MAX_MQTT_MESSAGE_BYTES } from '@lintel/wire-protocol/mqtt/message-codec';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';

/** Reads an unencrypted MQTT stream and reports the ids of the events in it. */
export const createEventIdWatcher = (onEventIds: (eventIds: readonly string[]) => void): ((chunk: Buffer) => void) => {
  const splitter = new PacketSplitter(2 * MAX_MQTT_MESSAGE_BYTES);
  let isReadable = true;
  return chunk => {
    if (!isReadable) return;
    isReadable = splitter.push(chunk, packet => {
      if (!isPlainPublishPacket(packet.first)) return;
      const message = parsePublishPacket(packet);
      if (message === null || parseMqttTopic(message.topic)?.kind !== 'events') return;
      const frame = decodeUnverifiedFrame(message.payload);
      if (!frame.ok) return;
      const { header, body } = frame.value;
      const events = decodeFrameBody('events', { encoding: header.encoding, body });
      if (events.ok) onEventIds(events.value.events.map(({ id }) => id));
    });
  };
};
