import type { ServerResponse } from 'node:http';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import type { LiveFeed } from '../../live/live-feed.ts';

const MOST_WAITING = 1_000;
const MOST_UNSENT_BYTES = 256 * 1024;
const BEAT_MS = 15_000;

interface LiveStreamOptions {
  /** Of the session whose end is the stream's too. */
  readonly leftMs: () => number;
  readonly onSessionEnd: (tell: () => void) => () => void;
  readonly ended: () => void;
}

/** Server-sent events for one onlooker. One who does not keep up is cut: it connects anew and has missed something, the door has not. */
export const streamLive = (
  feed: LiveFeed,
  response: ServerResponse,
  { leftMs, onSessionEnd, ended }: LiveStreamOptions,
): void => {
  let waiting: LiveHappening[] = [];
  let number = 0;
  let isOver = false;

  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stopListening();
    stopWatching();
    clearTimeout(beat);
    response.destroy();
    ended();
  };
  const send = (text: string): void => {
    if (isOver) return;
    if (leftMs() === 0) {
      end();
      return;
    }
    response.write(text);
    if (response.writableLength > MOST_UNSENT_BYTES) end();
  };
  const flush = (): void => {
    const happenings = waiting;
    waiting = [];
    send(happenings.map(one => `id: ${++number}\ndata: ${JSON.stringify(one)}\n\n`).join(''));
  };
  // Sent after the door has done its work, not while it does it.
  const stopListening = feed.listen(happening => {
    if (waiting.length === 0) setImmediate(flush);
    if (waiting.length < MOST_WAITING) waiting.push(happening);
    else setImmediate(end);
  });
  const stopWatching = onSessionEnd(end);
  const nextBeat = (): NodeJS.Timeout =>
    setTimeout(
      () => {
        beat = nextBeat();
        send(': beat\n\n');
      },
      Math.min(BEAT_MS, Math.ceil(leftMs())),
    );
  let beat = nextBeat();
  response.on('close', end);
  response.on('error', end);
  send('retry: 2000\n\n');
};
