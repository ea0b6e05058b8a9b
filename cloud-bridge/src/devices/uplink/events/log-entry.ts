import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { DeviceRow } from '../../../storage/schema.ts';
import type { Actor } from '../../../transactions/actor.ts';
import type { NewEventObject, NewEvent } from '../../../transactions/pending-event.ts';
import type { BelievedEvent } from './believed-event.ts';

/** What the bridge knows about the origin of a controller's event. */
export interface DeviceEventContext {
  readonly device: Pick<DeviceRow, 'id' | 'site_id'>;
  /** The actor of an action that this bridge sent. */
  readonly requester: Actor | null;
  /** For a gap: the numbers that have not arrived. */
  readonly lost?: readonly SequenceRange[] | null;
  readonly claimedAt: number;
  readonly now: number;
}

export interface EventLogEntry {
  readonly event: NewEvent;
  readonly actor: Actor;
}

/** A technician uses a controller before the claim, and a clock may be slow or fast. */
const BEFORE_CLAIM_MS = 7 * 86_400_000;
const AHEAD_MS = 300_000;
/** Beyond it there is no date. */
const LATEST_TIME = 8_640_000_000_000_000;

/** False for a time at which the controller cannot have recorded an event for this organization. */
const isBelievableTime = (at: number, { claimedAt, now }: Pick<DeviceEventContext, 'claimedAt' | 'now'>) =>
  at >= claimedAt - BEFORE_CLAIM_MS && at <= now + AHEAD_MS;

const defined = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

const toIso = (at: number): string => new Date(at).toISOString();

/** The reader's device, if another controller operates the gadget. */
const readerOf = ({ gadget, reader }: BelievedEvent): string | null =>
  gadget !== null && reader !== gadget.device_id ? reader : null;

const lostEventFields = ({ lost }: DeviceEvent, missing: readonly SequenceRange[]): Record<string, string> => {
  const [first, last] = [missing[0], missing.at(-1)];
  if (lost == null || first === undefined || last === undefined) return {};
  const lost_count = String(missing.reduce((sum, [low, high]) => sum + high - low + 1, 0));
  const numbers = { lost_count, lost_first: String(first[0]), lost_last: String(last[1]) };
  const count = lost.at_most === true ? { ...numbers, lost_at_most: 'true' } : numbers;
  const times = Object.entries(defined({ lost_from: lost.from, lost_to: lost.to }));
  const possible = times.filter(([, at]) => Math.abs(at) <= LATEST_TIME);
  return { ...count, ...Object.fromEntries(possible.map(([key, at]) => [key, toIso(at)])) };
};

/** The original time of an event whose time was corrected, and the reported time of one that is not believed. */
const timeFields = (
  { device_time, occurred_at }: DeviceEvent,
  context: DeviceEventContext,
): Record<string, string> => ({
  ...(device_time == null ? {} : { device_time: toIso(device_time) }),
  ...(isBelievableTime(occurred_at, context) ? {} : { reported_time: toIso(occurred_at) }),
});

const actorOf = (event: DeviceEvent, believed: BelievedEvent, context: DeviceEventContext): Actor => {
  const { fault, detail, unknown } = believed;
  const details = {
    ...context.requester?.details,
    ...lostEventFields(event, context.lost ?? []),
    ...timeFields(event, context),
    ...defined({ fault, detail, reported_kind: unknown.kind, reported_reason: unknown.reason }),
  };
  return {
    ...believed.subject,
    ...defined({ ip_address: context.requester?.ip_address, device_id: readerOf(believed) }),
    ...defined({ client: context.requester?.client }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
};

const deviceObject = ({ device }: DeviceEventContext): NewEventObject => ({
  type: 'device',
  device_id: device.id,
  site_id: device.site_id,
});

const gadgetObject = (
  context: DeviceEventContext,
  { gadget, triggerId }: BelievedEvent,
  part: 'action' | 'state' | 'signal',
  partId: string | null,
): NewEventObject => {
  if (gadget === null || partId === null) return deviceObject(context);
  const { id: gadget_id, device_id, site_id } = gadget;
  return {
    type: `gadget_${part}`,
    gadget_id,
    [`gadget_${part}_id`]: partId,
    device_id,
    site_id,
    ...defined({ gadget_trigger_id: triggerId }),
  };
};

const verbAndObject = (
  believed: BelievedEvent,
  context: DeviceEventContext,
): Pick<NewEvent, 'verb' | 'object' | 'reason'> => {
  const { kind, gadget, actionId, stateId, signalId, triggerId, reason } = believed;
  switch (kind) {
    case 'use':
      return { verb: 'use', object: gadgetObject(context, believed, 'action', actionId) };
    case 'deny':
      return { verb: 'deny', object: gadgetObject(context, believed, 'action', actionId), ...defined({ reason }) };
    case 'state':
      return { verb: 'edit', object: gadgetObject(context, believed, 'state', stateId) };
    case 'signal':
      return { verb: 'use', object: gadgetObject(context, believed, 'signal', signalId) };
    case 'trigger_chain_stopped': {
      const trigger = defined({ gadget_trigger_id: triggerId });
      const object = { ...trigger, type: 'gadget_trigger', site_id: context.device.site_id };
      return { verb: 'deny', object, reason: 'trigger_chain_stopped' };
    }
    case 'gap':
      return { verb: 'edit', object: deviceObject(context), reason: 'events_lost' };
    case 'fault': {
      const ofGadget = gadget === null ? {} : defined({ gadget_id: gadget.id, gadget_action_id: actionId });
      return { verb: 'edit', object: { ...deviceObject(context), ...ofGadget }, reason: 'fault' };
    }
    case 'rules_edited':
    case 'rules_confirmed':
    case 'rules_reverted':
    case 'rules_copied':
    case 'commissioning_made':
    case 'commissioning_ended':
    case 'output_tested':
    case 'profile_changed':
    case 'updated':
    case 'update_rolled_back':
      return { verb: 'edit', object: deviceObject(context), reason: kind };
    case null:
      return { verb: 'edit', object: deviceObject(context), reason: 'unknown_event' };
  }
};

/** Converts an event of a controller to an entry of the organization's event log. */
export const toEventLogEntry = (
  event: DeviceEvent,
  believed: BelievedEvent,
  context: DeviceEventContext,
): EventLogEntry => {
  const hasTime = isBelievableTime(event.occurred_at, context);
  return {
    event: {
      id: event.id,
      ...verbAndObject(believed, context),
      // Lists are ordered by this time, which is the one of the commit then.
      created_at: hasTime ? event.occurred_at : context.now,
      time_trusted: hasTime && event.time_trusted,
      reported_by: context.device.id,
    },
    actor: actorOf(event, believed, context),
  };
};
