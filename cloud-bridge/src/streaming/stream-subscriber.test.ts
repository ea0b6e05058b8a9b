import { EventEmitter } from 'node:events';
import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { ManualTimers } from '@lintel/test/support/manual-timers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTag } from '../resources/tags.ts';
import { RequestAdmission } from '../http/request-admission.ts';
import { parseTestBody, useTestOrganization } from '../test-organization.test-support.ts';
import { BacklogTurns } from './backlog-turns.ts';
import { EventFeeds } from './event-feeds.ts';
import { parseEventStreamRequest } from './stream-request.ts';
import type { EventStreamSocket } from './stream-socket-interface.ts';
import { EventMessageCache, EventStreamSubscriber } from './stream-subscriber.ts';

const MEGABYTE = 1024 * 1024;
const EXPANDED = { expand: 'object_tag' };

/** A client that reads nothing while `unread` is set. */
class FakeSocket extends EventEmitter implements EventStreamSocket {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  /** What every message adds to the buffer. */
  unread = 0;
  readonly tags: string[] = [];
  closed: { readonly code: number; readonly reason: string | undefined } | null = null;
  isTerminated = false;

  send(text: string): void {
    const { event } = JSON.parse(text) as { event: { object: { tag_id: string } } };
    this.tags.push(event.object.tag_id);
    this.bufferedAmount += this.unread;
  }

  ping(): void {}

  close(code: number, reason?: string): void {
    this.readyState = 2;
    this.closed ??= { code, reason };
  }

  terminate(): void {
    this.isTerminated = true;
    this.emit('close');
  }
}

class RecordedAdmission extends RequestAdmission {
  readonly reads: { readonly organization: string; readonly sent: number }[] = [];
  readonly #sent: () => number;

  constructor(sent: () => number) {
    super({ monotonic: () => 0, nextTurn: setImmediate });
    this.#sent = sent;
  }

  override run<T>(endpoint: { readonly method: string }, organization: string, work: () => Promise<T>): Promise<T> {
    this.reads.push({ organization, sent: this.#sent() });
    return super.run(endpoint, organization, work);
  }
}

describe('EventStreamSubscriber', () => {
  const test = useTestOrganization();
  const errors: unknown[] = [];
  let socket: FakeSocket;
  let timers: ManualTimers;
  let feeds: EventFeeds;
  let backlogs: BacklogTurns;
  let admission: RecordedAdmission;
  beforeEach(() => {
    admission = new RecordedAdmission(() => socket.tags.length);
    backlogs = new BacklogTurns();
    socket = new FakeSocket();
    timers = new ManualTimers();
    feeds = new EventFeeds(test.database.services.storage, error => errors.push(error));
  });

  const createTags = (count: number): Promise<string[]> =>
    test.organization.write(async context => {
      const ids: string[] = [];
      for (let index = 0; index < count; index++) {
        ids.push((await createTag(context, parseTestBody(createTagRequestSchema, { name: `Tag ${index}` }))).id);
      }
      return ids;
    });

  /** Follows the events after `position`. */
  const follow = async (query: Readonly<Record<string, string>>, to: EventStreamSocket = socket): Promise<void> => {
    const messages = new EventMessageCache();
    const onError = (error: unknown): void => void errors.push(error);
    const subscriber = new EventStreamSubscriber(
      { ...test.database.services, admission, backlogs, messages, timers, onError },
      to,
      { viewer: test.organization.viewer, caller: 'token' },
      parseEventStreamRequest({ 'object.type': 'tag', ...query }),
      0,
    );
    await subscriber.follow(await feeds.getFeed(test.organization.id));
  };

  const commitTags = async (count: number): Promise<string[]> => {
    const ids = await createTags(count);
    feeds.wake(test.organization.id);
    return ids;
  };

  it('sends the events of the log first, then new events', async () => {
    const before = await createTags(3);
    await follow({});
    expect(socket.tags).toEqual(before);
    const after = await commitTags(2);
    await expect.poll(() => socket.tags).toEqual([...before, ...after]);
  });

  it('reads the log no faster than the client', async () => {
    const ids = await createTags(3);
    socket.unread = MEGABYTE + 1;
    const following = follow({});
    for (let sent = 1; sent <= 3; sent++) {
      await expect.poll(() => timers.next).not.toBeNull();
      expect(socket.tags).toEqual(ids.slice(0, sent));
      socket.bufferedAmount = 0;
      await timers.fire();
    }
    await following;
    expect(socket.closed).toBeNull();
  });

  it('reads the log in pages of 100 events, in the queue of list requests', async () => {
    const ids = await createTags(250);
    await follow({});
    expect(admission.reads).toEqual([0, 100, 200].map(sent => ({ organization: test.organization.id, sent })));
    expect(socket.tags).toEqual(ids);
  });

  it('reads one page at a time for all streams of a token', async () => {
    const ids = await createTags(150);
    const other = new FakeSocket();
    socket.unread = MEGABYTE + 1;
    const following = [follow({}), follow({}, other)];
    for (let sent = 1; sent <= 100; sent++) {
      await expect.poll(() => timers.next).not.toBeNull();
      expect([socket.tags.length, other.tags.length]).toEqual([sent, 0]);
      socket.bufferedAmount = 0;
      await timers.fire();
    }
    await expect.poll(() => other.tags.length).toBe(100);
    socket.unread = 0;
    socket.bufferedAmount = 0;
    while (timers.next !== null) await timers.fire();
    await Promise.all(following);
    expect([socket.tags, other.tags]).toEqual([ids, ids]);
  });

  it.each([
    ['the log', {}, true],
    ['new events with expanded objects', EXPANDED, false],
  ])('disconnects a client that does not read %s for 10 seconds', async (_, query, isInLog) => {
    if (isInLog) await createTags(2);
    socket.unread = MEGABYTE + 1;
    const following = follow(query);
    if (!isInLog) {
      await following;
      await commitTags(2);
    }
    await expect.poll(() => timers.next).not.toBeNull();
    let waited = 0;
    for (; socket.closed === null; await timers.fire()) waited += timers.next!;
    expect(waited).toBe(10_000);
    expect(socket.closed).toEqual({ code: 1013, reason: 'too slow: reconnect with since' });
    expect(socket.isTerminated).toBe(false);
    await timers.fire();
    expect(socket.isTerminated).toBe(true);
    await following;
    expect(socket.tags).toHaveLength(1);
  });

  it('disconnects a client with a megabyte of unread new events at once', async () => {
    await follow({});
    socket.unread = MEGABYTE / 2 + 1;
    await commitTags(2);
    await expect.poll(() => socket.closed).toMatchObject({ code: 1013 });
    expect(timers.next).toBe(1000);
  });

  it('does not terminate a client that has closed the connection', async () => {
    await follow({});
    socket.unread = MEGABYTE + 1;
    await commitTags(1);
    await expect.poll(() => timers.next).toBe(1000);
    socket.emit('close');
    expect(timers.next).toBeNull();
  });
});
