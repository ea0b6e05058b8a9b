import type { SimulatorLiveMessage } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';

export type SimulatorLinkState = 'connecting' | 'live' | 'lost';

const RETRY_MS = 1000;

interface LiveConnectionOptions {
  readonly onMessage: (message: SimulatorLiveMessage) => void;
  readonly onLinkChange: (state: SimulatorLinkState) => void;
}

/** Receives messages of the simulator and reconnects. Returns a function that closes the connection. */
export const openSimulatorConnection = ({ onMessage, onLinkChange }: LiveConnectionOptions): (() => void) => {
  let source: EventSource;
  let timer = 0;
  const open = (): void => {
    source = new EventSource('api/live');
    source.addEventListener('open', () => onLinkChange('live'));
    source.addEventListener('message', ({ data }: MessageEvent<string>) =>
      onMessage(JSON.parse(data) as SimulatorLiveMessage),
    );
    source.addEventListener('error', () => {
      onLinkChange('lost');
      // The browser does not reconnect after a response that is not a stream.
      source.close();
      timer = window.setTimeout(open, RETRY_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
};
