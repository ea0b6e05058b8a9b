import { useCallback, useState } from 'preact/hooks';
import { EVENT_EXPAND_NAMES } from '../api/event-expand-parameter.ts';
import { useNewEvents } from '../api/live-events.tsx';
import { usePagedApiList } from '../api/resource-hooks.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';

const MOST_EVENTS = 20;

/** The latest uses or denials of the door, newest first, with those that happen while the page is open. */
export const useDoorEvents = (gadgetId: string, verb: 'use' | 'deny'): readonly ExpandedEvent[] => {
  const list = usePagedApiList<ExpandedEvent>('event', '/events', {
    verb,
    'object.type': 'gadget_action',
    'object.gadget_id': gadgetId,
    limit: MOST_EVENTS,
    expand: EVENT_EXPAND_NAMES,
  });
  const [fresh, setFresh] = useState<readonly ExpandedEvent[]>([]);
  useNewEvents(
    useCallback(
      (event: ExpandedEvent) => {
        if (event.verb === verb && event.object.type === 'gadget_action' && event.object.gadget_id === gadgetId)
          setFresh(events => [event, ...events].slice(0, MOST_EVENTS));
      },
      [gadgetId, verb],
    ),
  );
  return [...fresh, ...list.items];
};
