import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { describeEvent } from '../events/describe-event.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { useDoorEvents } from './use-door-events.ts';

/** Who opened the door last, and when. */
export const LastOpening = ({ door }: { readonly door: GadgetResponse }) => {
  const messages = useMessages();
  const { formatWithin } = useSiteTimeFormats(door.site_id);
  const opening = useDoorEvents(door.id, 'use').find(({ object }) => object.gadget_action_id === 'open');
  if (opening === undefined) return null;
  return <p>{messages.door.lastOpened(describeEvent(opening, messages), formatWithin(opening.occurred_at))}</p>;
};
