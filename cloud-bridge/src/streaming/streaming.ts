import type { FastifyInstance } from 'fastify';
import { type CommitNotifier, PostgresCommitNotifier, noOtherBridges } from './commit-notifier.ts';
import { EventFeeds } from './event-feeds.ts';
import { serveEventStream, type StreamDependencies } from './event-stream.ts';

export interface StreamingOptions extends Omit<StreamDependencies, 'feeds'> {
  /** Where the other bridges are met; null when there are none to meet. */
  readonly postgresUrl: string | null;
  /** Told when another bridge has committed something. */
  readonly onElsewhere: (organizationId: string) => void;
  /** How often feeds are looked at though nobody has said anything. */
  readonly pollMs: number;
}

export interface Streaming {
  close(): Promise<void>;
}

/** The stream of events, woken by every commit of this bridge and of those that share its database. */
export const createStreaming = (app: FastifyInstance, options: StreamingOptions): Streaming => {
  const { services, onError, postgresUrl, pollMs } = options;
  const feeds = new EventFeeds(services.storage, onError);
  const heard = (organizationId: string): void => {
    feeds.wake(organizationId);
    options.onElsewhere(organizationId);
  };
  const notifier: CommitNotifier =
    postgresUrl === null ? noOtherBridges : new PostgresCommitNotifier(postgresUrl, services.storage, heard);
  services.writer.onCommitted(({ organizationId, events }) => {
    if (events.length === 0) return;
    feeds.wake(organizationId);
    notifier.notify(organizationId);
  });
  serveEventStream(app, { ...options, feeds });
  notifier.start();
  const poll = setInterval(() => feeds.wakeAll(), pollMs).unref();
  return {
    close: async () => {
      clearInterval(poll);
      await notifier.close();
    },
  };
};
