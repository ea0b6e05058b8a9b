import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import type { FastifyInstance } from 'fastify';
import { type CommitNotifier, PostgresCommitNotifier, noopCommitNotifier } from './commit-notifier.ts';
import { EventFeeds } from './event-feeds.ts';
import { serveEventStream, type EventStreamDependencies } from './event-stream-route.ts';

export interface EventStreamingOptions extends Omit<EventStreamDependencies, 'feeds'> {
  /** Database shared with other bridges; null for a single bridge. */
  readonly postgresUrl: string | null;
  /** Called when another bridge has committed events. */
  readonly onRemoteCommit: (organizationId: string) => void;
  /** How often feeds are read without a notification. */
  readonly pollMs: number;
}

export interface EventStreamingService {
  close(): Promise<void>;
}

/** Serves the event stream. Every commit of this bridge or of one that shares its database wakes it. */
export const startEventStreaming = (app: FastifyInstance, options: EventStreamingOptions): EventStreamingService => {
  const { services, onError, postgresUrl, pollMs } = options;
  const feeds = new EventFeeds(services.storage, onError);
  const onNotified = (organizationId: string): void => {
    feeds.wake(organizationId);
    options.onRemoteCommit(organizationId);
  };
  const notifier: CommitNotifier =
    postgresUrl === null ? noopCommitNotifier : new PostgresCommitNotifier(postgresUrl, services.storage, onNotified);
  services.writer.onCommitted(({ organizationId, events }) => {
    if (events.length === 0) return;
    feeds.wake(organizationId);
    notifier.notify(organizationId);
  });
  serveEventStream(app, { ...options, feeds });
  notifier.start();
  const stopPolling = repeatEvery(pollMs, () => feeds.wakeAll(), onError);
  return {
    close: async () => {
      stopPolling();
      await notifier.close();
    },
  };
};
