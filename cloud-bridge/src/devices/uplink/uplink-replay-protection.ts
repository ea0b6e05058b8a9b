import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import type { ActiveDeviceSession } from '../device-session-registry.ts';
import type { VerifiedUplinkMessage } from './verify-uplink-message.ts';

type SignedPosition = Pick<VerifiedUplinkMessage<UplinkMessageKind>, 'serial' | 'counter'>;

/**
 * Whether a message was signed in this session, after its hello, and is newer than all messages of its kind. Gateways and
 * brokers can neither replay nor reorder the messages of a session.
 */
export const acceptUplinkMessageInSession = (
  session: ActiveDeviceSession,
  kind: UplinkMessageKind,
  { serial, counter }: SignedPosition,
): boolean => {
  const newest = session.newestCounters.get(kind) ?? session.helloCounter;
  if (serial !== session.serial || counter <= newest) return false;
  session.newestCounters.set(kind, counter);
  session.lastMessageAt = performance.now();
  return true;
};

/** The same for messages that change data, in the transaction that applies them: several bridges may receive them. */
export const acceptUplinkCounter = async (
  { db }: WriteContext,
  deviceId: string,
  kind: UplinkMessageKind,
  counter: number,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('uplink_counters')
    .values({ device_id: deviceId, kind, counter })
    .onConflict(conflict =>
      conflict.columns(['device_id', 'kind']).doUpdateSet({ counter }).where('uplink_counters.counter', '<', counter),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};
