import { useState } from 'preact/hooks';
import { useCountdown } from '../api/use-session.ts';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as shellMessages from '../messages/english/shell.ts';

/** How long the controller waits for a card. */
const WAIT_S = 30;
/** Longer than the controller waits. */
export const CARD_TIMEOUT_MS = 40_000;

export const CardPrompt = () => {
  const [startedAt] = useState(() => performance.now());
  const secondsLeft = useCountdown(WAIT_S, startedAt);
  return (
    <p class="card-prompt" role="status">
      {credentialTestMessages.presentCard(shellMessages.clock(secondsLeft))}
    </p>
  );
};
