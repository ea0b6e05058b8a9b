import { PacketSplitter } from '@lintel/broker/packet-splitter';
import { isPlainPublish, readPublish } from '@lintel/broker/publish-packet';
import { eventsIn } from '@lintel/gateway/forwarding/signed-batch';
import { LARGEST_MESSAGE } from '@lintel/wire-protocol/mqtt/message-codec';
import { decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { parseTopic } from '@lintel/wire-protocol/mqtt/topics';

/** Reads an unencrypted MQTT stream and reports the ids of the events in it. */
export const passingEvents = (tell: (eventIds: readonly string[]) => void): ((chunk: Buffer) => void) => {
  const splitter = new PacketSplitter(2 * LARGEST_MESSAGE);
  let isReadable = true;
  return chunk => {
    if (!isReadable) return;
    isReadable = splitter.take(chunk, packet => {
      if (!isPlainPublish(packet.first)) return;
      const said = readPublish(packet);
      if (said === null || parseTopic(said.topic)?.kind !== 'events') return;
      const frame = decodeFrame(said.payload);
      if (frame.ok) tell((eventsIn(frame.value) ?? []).map(({ id }) => id));
    });
  };
};
