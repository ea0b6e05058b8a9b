import type { AccessMethod } from '@lintel/access-core/access-model';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { DeviceRow, GadgetRow } from '../../storage/schema.ts';
import type { Actor } from '../../transactions/actor.ts';
import type { EventObject, NewEvent } from '../../transactions/new-event.ts';

/** Where an event comes from, as far as it is known here. */
export interface EventPlace {
  readonly device: Pick<DeviceRow, 'id' | 'site_id'>;
  /** Null for an event without a gadget, or of one that the organization does not have. */
  readonly gadget: Pick<GadgetRow, 'id' | 'device_id' | 'site_id'> | null;
  /** Who asked for it, when it was the bridge that did. */
  readonly asker: Actor | null;
}

export interface LoggedEvent {
  readonly event: NewEvent;
  readonly actor: Actor;
}

const defined = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** Named only where the gadget hangs on another controller than the one that read the credential. */
const readerOf = ({ reader_device_id }: DeviceEvent, { device, gadget }: EventPlace): string | null => {
  const reader = reader_device_id ?? device.id;
  return gadget !== null && reader !== gadget.device_id ? reader : null;
};

const lostInWords = ({ lost }: DeviceEvent): Record<string, string> => {
  if (lost == null) return {};
  const { first, last, from, to } = lost;
  const count = { lost_count: String(last - first + 1), lost_first: String(first), lost_last: String(last) };
  const when = defined({ lost_from: from, lost_to: to });
  return {
    ...count,
    ...Object.fromEntries(Object.entries(when).map(([key, at]) => [key, new Date(at).toISOString()])),
  };
};

const actorOf = (told: DeviceEvent, place: EventPlace): Actor => {
  const { access_method, ...subject } = told.subject ?? {};
  const said = { ...place.asker?.client, ...lostInWords(told), ...defined({ fault: told.fault, detail: told.detail }) };
  return {
    ...defined(subject),
    ...defined({ ip_address: place.asker?.ip_address, device_id: readerOf(told, place) }),
    ...(access_method == null ? {} : { access_method: access_method as AccessMethod }),
    ...(Object.keys(said).length === 0 ? {} : { client: said }),
  };
};

const deviceObject = ({ device }: EventPlace): EventObject => ({
  type: 'device',
  device_id: device.id,
  site_id: device.site_id,
});

const gadgetObject = (
  place: EventPlace,
  type: string,
  part: 'gadget_action_id' | 'gadget_state_id' | 'gadget_signal_id',
  told: DeviceEvent,
): EventObject => {
  const { gadget } = place;
  const partId = told[part];
  if (gadget === null || partId == null) return deviceObject(place);
  const { id: gadget_id, device_id, site_id } = gadget;
  return {
    type,
    gadget_id,
    [part]: partId,
    device_id,
    site_id,
    ...defined({ gadget_trigger_id: told.gadget_trigger_id }),
  };
};

const happening = (told: DeviceEvent, place: EventPlace): Pick<NewEvent, 'verb' | 'object' | 'reason'> => {
  const reason = defined({ reason: told.reason });
  switch (told.kind) {
    case 'use':
      return { verb: 'use', object: gadgetObject(place, 'gadget_action', 'gadget_action_id', told) };
    case 'deny':
      return { verb: 'deny', object: gadgetObject(place, 'gadget_action', 'gadget_action_id', told), ...reason };
    case 'state':
      return { verb: 'edit', object: gadgetObject(place, 'gadget_state', 'gadget_state_id', told) };
    case 'signal':
      return { verb: 'use', object: gadgetObject(place, 'gadget_signal', 'gadget_signal_id', told) };
    case 'trigger_chain_stopped': {
      const trigger = defined({ gadget_trigger_id: told.gadget_trigger_id });
      const object = { ...trigger, type: 'gadget_trigger', site_id: place.device.site_id };
      return { verb: 'deny', object, reason: 'trigger_chain_stopped' };
    }
    case 'gap':
      return { verb: 'edit', object: deviceObject(place), reason: 'events_lost' };
    case 'fault': {
      const gadget =
        place.gadget === null ? {} : defined({ gadget_id: told.gadget_id, gadget_action_id: told.gadget_action_id });
      return { verb: 'edit', object: { ...deviceObject(place), ...gadget }, reason: 'fault' };
    }
    default:
      return { verb: 'edit', object: deviceObject(place), reason: told.kind };
  }
};

/** What a controller tells, in the words of the organization's log. */
export const loggedEvent = (told: DeviceEvent, place: EventPlace): LoggedEvent => ({
  event: {
    id: told.id,
    ...happening(told, place),
    created_at: told.occurred_at,
    time_trusted: told.time_trusted,
  },
  actor: actorOf(told, place),
});
