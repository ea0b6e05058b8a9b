import { createId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { type DeviceEvent, deviceEventSchema } from '@lintel/wire-protocol/mqtt/messages/events';

const START = Date.parse('2026-06-01T10:00:00Z');

const randomness = (sequence: number): Uint8Array => {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(0, sequence);
  return bytes;
};

/** A use event of a door, one per second. */
const eventOf = (sequence: number): DeviceEvent =>
  deviceEventSchema.parse({
    id: createId('event', instant(START), randomness(sequence)),
    sequence,
    kind: 'use',
    occurred_at: START + sequence * 1_000,
    time_trusted: true,
    subject: {
      member_id: 'mem_01jx5m8z6q0000000000000001',
      member_pin_id: 'mp_01jx5m8z6q0000000000000001',
      access_method: 'pin',
    },
    gadget_id: 'gad_01jx5m8z6q0000000000000001',
    gadget_action_id: 'open',
  });

export const createSampleEvents = (first: number, count: number): DeviceEvent[] =>
  Array.from({ length: count }, (_, index) => eventOf(first + index));
