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
  /** When an established connection was lost; null while there is one. */
  readonly lostAt: string | null;
  readonly listen: (listener: Listener) => () => void;
}

const LiveEventsContext = createContext<LiveEvents | null>(null);

/** Follows the events of the organization and reloads what they changed. */
export const LiveEventsProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const { id, client, allows } = useCurrentOrganization();
  const [lostAt, setLostAt] = useState<string | null>(null);
  const listeners = useMemo(() => new Set<Listener>(), []);
  const mayListen = allows('events.read');
  useEffect(() => {
    if (!mayListen) return;
    const updates = new QueryCacheUpdater(queryClient, id);
    let connection: 'opening' | 'open' | 'lost' = 'opening';
    const stream = new EventStream({
      path: `/admin/v1${client.pathOf('/events/stream')}`,
      query: { expand: EVENT_EXPAND_NAMES },
      onConnected: isConnected => {
        // What changed without an event in the meantime, such as who is connected, is loaded again.
        if (isConnected && connection === 'lost') void queryClient.invalidateQueries({ queryKey: [id] });
        connection = isConnected ? 'open' : connection === 'opening' ? 'opening' : 'lost';
        setLostAt(previous => (connection === 'lost' ? (previous ?? new Date().toISOString()) : null));
      },
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
      lostAt,
      listen: listener => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
    [lostAt, listeners],
  );
  return <LiveEventsContext.Provider value={value}>{children}</LiveEventsContext.Provider>;
};

const useLiveEvents = (): LiveEvents => {
  const live = useContext(LiveEventsContext);
  if (live === null) throw new Error('LiveEventsProvider is missing');
  return live;
};

export const useEventStreamLostAt = (): string | null => useLiveEvents().lostAt;

/** Calls the listener for each new event while the component is shown. */
export const useNewEvents = (listener: Listener): void => {
  const { listen } = useLiveEvents();
  useEffect(() => listen(listener), [listen, listener]);
};
