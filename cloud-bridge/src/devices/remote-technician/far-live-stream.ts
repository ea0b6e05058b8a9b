import type { FastifyReply } from 'fastify';
import type { Onlooker } from './live-watches.ts';

const MOST_UNSENT_BYTES = 256 * 1024;
const BEAT_MS = 5_000;

interface FarLiveStream {
  readonly onlooker: Onlooker;
  /** Sends what has come meanwhile, and whatever comes. `mayStill` is asked with each beat, `ended` is called once. */
  begin(mayStill: () => Promise<boolean>, ended: () => void): void;
}

/** Server-sent events for one onlooker far away. One who does not keep up is cut, and comes again. */
export const streamFarLive = (reply: FastifyReply): FarLiveStream => {
  const { raw } = reply;
  let number = 0;
  let early: string[] | null = [];
  let end = (): void => undefined;
  const send = (text: string): void => {
    if (early !== null) {
      early.push(text);
      return;
    }
    raw.write(text);
    if (raw.writableLength > MOST_UNSENT_BYTES) end();
  };
  const onlooker: Onlooker = {
    happened: happening => send(`id: ${++number}\ndata: ${JSON.stringify(happening)}\n\n`),
    lost: () => end(),
  };
  return {
    onlooker,
    begin: (mayStill, ended) => {
      reply.hijack();
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
      });
      const look = async (): Promise<void> => ((await mayStill()) ? send(': beat\n\n') : end());
      const beat = setInterval(() => void look(), BEAT_MS);
      end = () => {
        end = () => undefined;
        clearInterval(beat);
        ended();
        raw.destroy();
      };
      if (raw.destroyed) return end();
      raw.on('close', () => end());
      raw.on('error', () => end());
      const waiting = early ?? [];
      early = null;
      send(`retry: 2000\n\n${waiting.join('')}`);
    },
  };
};
