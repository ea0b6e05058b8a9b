import type { ServerResponse } from 'node:http';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import type { LiveFeed } from '../../live/live-feed.ts';

const MOST_WAITING = 1_000;
const MOST_UNSENT_BYTES = 256 * 1024;
const BEAT_MS = 15_000;

interface LiveStreamOptions {
  /** Of the session. The stream ends with it. */
  readonly remainingMs: () => number;
  readonly onSessionEnd: (listener: () => void) => () => void;
  readonly onEnd: () => void;
}

/** Server-sent events for one viewer. A viewer that does not keep up is disconnected, so that the door is not delayed. */
export const streamLiveMessages = (
  feed: LiveFeed,
  response: ServerResponse,
  { remainingMs, onSessionEnd, onEnd }: LiveStreamOptions,
): void => {
  let waiting: TechnicianLiveMessage[] = [];
  let number = 0;
  let isOver = false;

  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stopListening();
    stopWatching();
    clearTimeout(beat);
    response.destroy();
    onEnd();
  };
  const send = (text: string): void => {
    if (isOver) return;
    if (remainingMs() === 0) {
      end();
      return;
    }
    response.write(text);
    if (response.writableLength > MOST_UNSENT_BYTES) end();
  };
  const flush = (): void => {
    const messages = waiting;
    waiting = [];
    send(messages.map(one => `id: ${++number}\ndata: ${JSON.stringify(one)}\n\n`).join(''));
  };
  // Sent later, so that the door is not delayed.
  const stopListening = feed.listen(message => {
    if (waiting.length === 0) setImmediate(flush);
    if (waiting.length < MOST_WAITING) waiting.push(message);
    else setImmediate(end);
  });
  const stopWatching = onSessionEnd(end);
  const nextBeat = (): NodeJS.Timeout =>
    setTimeout(
      () => {
        beat = nextBeat();
        send(': beat\n\n');
      },
      Math.min(BEAT_MS, Math.ceil(remainingMs())),
    );
  let beat = nextBeat();
  response.on('close', end);
  response.on('error', end);
  send('retry: 2000\n\n');
};
