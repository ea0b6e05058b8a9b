import type { AccessMethod } from '@lintel/access-core/access-data-types';
import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { DeviceRow, GadgetRow } from '../../storage/schema.ts';
import type { Actor } from '../../transactions/actor.ts';
import type { NewEventObject, NewEvent } from '../../transactions/pending-event.ts';

/** What the bridge knows about the origin of a controller's event. */
export interface DeviceEventContext {
  readonly device: Pick<DeviceRow, 'id' | 'site_id'>;
  /** Null for an event without a gadget, or with a gadget that the organization does not have. */
  readonly gadget: Pick<GadgetRow, 'id' | 'device_id' | 'site_id'> | null;
  /** The actor of an action that this bridge sent. */
  readonly requester: Actor | null;
  /** For a gap: the numbers that have not arrived. */
  readonly lost?: readonly SequenceRange[] | null;
}

export interface EventLogEntry {
  readonly event: NewEvent;
  readonly actor: Actor;
}

const defined = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** The reader's device, if another controller operates the gadget. */
const readerOf = ({ reader_device_id }: DeviceEvent, { device, gadget }: DeviceEventContext): string | null => {
  const reader = reader_device_id ?? device.id;
  return gadget !== null && reader !== gadget.device_id ? reader : null;
};

const lostEventFields = ({ lost }: DeviceEvent, missing: readonly SequenceRange[]): Record<string, string> => {
  const [first, last] = [missing[0], missing.at(-1)];
  if (lost == null || first === undefined || last === undefined) return {};
  const lost_count = String(missing.reduce((sum, [low, high]) => sum + high - low + 1, 0));
  const count = { lost_count, lost_first: String(first[0]), lost_last: String(last[1]) };
  const times = defined({ lost_from: lost.from, lost_to: lost.to });
  return {
    ...count,
    ...Object.fromEntries(Object.entries(times).map(([key, at]) => [key, new Date(at).toISOString()])),
  };
};

/** The original time of an event whose time was corrected. */
const deviceTimeField = ({ device_time }: DeviceEvent): Record<string, string> =>
  device_time == null ? {} : { device_time: new Date(device_time).toISOString() };

const actorOf = (event: DeviceEvent, context: DeviceEventContext): Actor => {
  const { access_method, ...subject } = event.subject ?? {};
  const details = {
    ...context.requester?.details,
    ...lostEventFields(event, context.lost ?? []),
    ...deviceTimeField(event),
    // The text of a gap counts the events that the controller cannot account for.
    ...defined({ fault: event.kind === 'gap' ? null : event.fault, detail: event.detail }),
  };
  return {
    ...defined(subject),
    ...defined({ ip_address: context.requester?.ip_address, device_id: readerOf(event, context) }),
    ...(access_method == null ? {} : { access_method: access_method as AccessMethod }),
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
  type: string,
  partField: 'gadget_action_id' | 'gadget_state_id' | 'gadget_signal_id',
  event: DeviceEvent,
): NewEventObject => {
  const { gadget } = context;
  const partId = event[partField];
  if (gadget === null || partId == null) return deviceObject(context);
  const { id: gadget_id, device_id, site_id } = gadget;
  return {
    type,
    gadget_id,
    [partField]: partId,
    device_id,
    site_id,
    ...defined({ gadget_trigger_id: event.gadget_trigger_id }),
  };
};

const verbAndObject = (
  event: DeviceEvent,
  context: DeviceEventContext,
): Pick<NewEvent, 'verb' | 'object' | 'reason'> => {
  const reason = defined({ reason: event.reason });
  switch (event.kind) {
    case 'use':
      return { verb: 'use', object: gadgetObject(context, 'gadget_action', 'gadget_action_id', event) };
    case 'deny':
      return { verb: 'deny', object: gadgetObject(context, 'gadget_action', 'gadget_action_id', event), ...reason };
    case 'state':
      return { verb: 'edit', object: gadgetObject(context, 'gadget_state', 'gadget_state_id', event) };
    case 'signal':
      return { verb: 'use', object: gadgetObject(context, 'gadget_signal', 'gadget_signal_id', event) };
    case 'trigger_chain_stopped': {
      const trigger = defined({ gadget_trigger_id: event.gadget_trigger_id });
      const object = { ...trigger, type: 'gadget_trigger', site_id: context.device.site_id };
      return { verb: 'deny', object, reason: 'trigger_chain_stopped' };
    }
    case 'gap':
      return { verb: 'edit', object: deviceObject(context), reason: 'events_lost' };
    case 'fault': {
      const gadget =
        context.gadget === null
          ? {}
          : defined({ gadget_id: event.gadget_id, gadget_action_id: event.gadget_action_id });
      return { verb: 'edit', object: { ...deviceObject(context), ...gadget }, reason: 'fault' };
    }
    default:
      return { verb: 'edit', object: deviceObject(context), reason: event.kind };
  }
};

/** Converts an event of a controller to an entry of the organization's event log. */
export const toEventLogEntry = (event: DeviceEvent, context: DeviceEventContext): EventLogEntry => ({
  event: {
    id: event.id,
    ...verbAndObject(event, context),
    created_at: event.occurred_at,
    time_trusted: event.time_trusted,
  },
  actor: actorOf(event, context),
});
