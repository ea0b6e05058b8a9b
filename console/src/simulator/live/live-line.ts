import type { LiveMessage } from '@lintel/wire-protocol/simulator/world';

export type LinkState = 'connecting' | 'live' | 'lost';

const AGAIN_MS = 1000;

interface Listener {
  readonly heard: (message: LiveMessage) => void;
  readonly linked: (state: LinkState) => void;
}

/** Listens to the simulator, and comes again for as long as it takes. Answers what ends it. */
export const listen = ({ heard, linked }: Listener): (() => void) => {
  let source: EventSource;
  let timer = 0;
  const open = (): void => {
    source = new EventSource('api/live');
    source.addEventListener('open', () => linked('live'));
    source.addEventListener('message', ({ data }: MessageEvent<string>) => heard(JSON.parse(data) as LiveMessage));
    source.addEventListener('error', () => {
      linked('lost');
      // The browser's own patience ends at an answer that is no stream; ours does not.
      source.close();
      timer = window.setTimeout(open, AGAIN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
};
