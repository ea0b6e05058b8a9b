import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { QueryCacheUpdater } from './query-cache-updater.ts';
import { EVENT_EXPAND_NAMES } from './event-expand-parameter.ts';
import { EventStream } from './event-stream.ts';
import { useCurrentOrganization } from './current-organization.ts';
import { queryClient } from './query-client.ts';

type Listener = (event: EventResponse) => void;

interface LiveEvents {
  /** Whether an established connection is lost at the moment. */
  readonly isInterrupted: boolean;
  readonly listen: (listener: Listener) => () => void;
}

const LiveEventsContext = createContext<LiveEvents | null>(null);

/** Follows the events of the organization and reloads what they changed. */
export const LiveEventsProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const { id, client, allows } = useCurrentOrganization();
  const [connection, setConnection] = useState<'opening' | 'open' | 'lost'>('opening');
  const listeners = useMemo(() => new Set<Listener>(), []);
  const mayListen = allows('events.read');
  useEffect(() => {
    if (!mayListen) return;
    const updates = new QueryCacheUpdater(queryClient, id);
    const stream = new EventStream({
      path: `/admin/v1${client.pathOf('/events/stream')}`,
      query: { expand: EVENT_EXPAND_NAMES },
      onConnected: isConnected =>
        setConnection(previous => (isConnected ? 'open' : previous === 'opening' ? 'opening' : 'lost')),
      onEvent: event => {
        updates.apply(event);
        for (const listener of listeners) listener(event);
      },
    });
    return () => {
      stream.close();
      updates.close();
    };
  }, [id, mayListen]);
  const value = useMemo<LiveEvents>(
    () => ({
      isInterrupted: connection === 'lost',
      listen: listener => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
    [connection, listeners],
  );
  return <LiveEventsContext.Provider value={value}>{children}</LiveEventsContext.Provider>;
};

const useLiveEvents = (): LiveEvents => {
  const live = useContext(LiveEventsContext);
  if (live === null) throw new Error('LiveEventsProvider is missing');
  return live;
};

export const useIsEventStreamInterrupted = (): boolean => useLiveEvents().isInterrupted;

/** Calls the listener for each new event while the component is shown. */
export const useNewEvents = (listener: Listener): void => {
  const { listen } = useLiveEvents();
  useEffect(() => listen(listener), [listen, listener]);
};
