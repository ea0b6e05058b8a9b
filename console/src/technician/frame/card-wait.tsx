import { useState } from 'preact/hooks';
import { useCountdown } from '../link/use-visit.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as tryingWords from '../words/english/trying-words.ts';

/** So long a controller waits for a card. */
const WAIT_S = 30;
/** Somewhat longer than the controller itself. */
export const CARD_PATIENCE_MS = 40_000;

/** Counts down while somebody looks for a card. */
export const CardWait = () => {
  const [startedAt] = useState(() => performance.now());
  const left = useCountdown(WAIT_S, startedAt);
  return (
    <p class="card-wait" role="status">
      {tryingWords.holdCard(frameWords.clock(left))}
    </p>
  );
};
