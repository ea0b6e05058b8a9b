import { useState } from 'preact/hooks';
import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import { useCountdown } from '../state/use-countdown.ts';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as shellMessages from '../messages/english/shell.ts';

/** How long the controller waits for a card. */
const WAIT_S = 30;
/** Longer than the controller waits. */
export const CARD_REQUEST_TIMEOUT_MS = 40_000;

interface PresentCardPromptProps {
  /** The text with the time left. Default: a card at any reader. */
  readonly format?: (time: string) => string;
}

/**
 * Asks for a card once the controller has confirmed that it waits for one: an earlier card would open the door.
 * Mount it together with the request.
 */
export const PresentCardPrompt = ({ format = credentialTestMessages.presentCardPrompt }: PresentCardPromptProps) => {
  const [startedAt] = useState(() => performance.now());
  const [waitsBefore] = useState(() => controllerSession.cardWaits.value);
  const secondsLeft = useCountdown(WAIT_S, startedAt);
  const cardWaits = useObservableValue(controllerSession.cardWaits);
  const linkState = useObservableValue(controllerSession.linkState);
  const isConfirmed = cardWaits > waitsBefore || linkState !== 'live';
  return (
    <p class="card-prompt" role="status">
      {isConfirmed ? format(shellMessages.formatCountdown(secondsLeft)) : credentialTestMessages.preparingReaderText}
    </p>
  );
};
