import type { NextCardResponse } from '@lintel/wire-protocol/technician/hardware-tests';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import { useLiveMessages } from '../api/controller-hooks.ts';
import { CARD_REQUEST_TIMEOUT_MS, PresentCardPrompt } from '../components/present-card-prompt.tsx';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { HardwareTestPanel } from './hardware-test-panel.tsx';
import type { ReaderUnitPart } from './testable-parts.ts';
import { useTestAction } from './use-test-action.tsx';

const SHOWN_KEYS = 24;

interface StationTestProps {
  readonly part: ReaderUnitPart;
}

export const FeedbackTestPanel = ({ part }: StationTestProps) => {
  const { execute, isBusy, message } = useTestAction();
  const title = testMessages.feedbackTestTitle(part.station);
  const path = `/stations/${encodeURIComponent(part.station)}/feedback`;
  const playButton = (pattern: 'granted' | 'denied') => (
    <Button
      icon={icons.bellIcon}
      isDisabled={isBusy}
      label={`${title}: ${testMessages.feedbackPatternNames[pattern]}`}
      onPress={() => void execute(path, { pattern }, testMessages.patternIsPlayingText)}
    >
      {testMessages.feedbackPatternNames[pattern]}
    </Button>
  );
  return (
    <HardwareTestPanel id={part.id} title={title}>
      <div class="bar">
        {playButton('granted')}
        {playButton('denied')}
      </div>
      {message}
    </HardwareTestPanel>
  );
};

const CardReading = ({ card }: { readonly card: NextCardResponse }) => {
  if (card.outcome === 'no_card') return <p>{credentialTestMessages.noCardPresentedText}</p>;
  if (card.outcome === 'magic_link') return <p>{testMessages.qrCodeWasReadText}</p>;
  if (card.uid === null) return <p>{testMessages.phoneWasReadText}</p>;
  return (
    <>
      <p class="uid">{card.uid}</p>
      <p class="quiet small">{testMessages.uidShownOnceText}</p>
    </>
  );
};

export const ReaderTestPanel = ({ part }: StationTestProps) => {
  const { run } = useApiAction();
  const { tests } = useSharedControllerData();
  const [isWaiting, setWaiting] = useState(false);
  const [card, setCard] = useState<NextCardResponse | null>(null);
  const title = testMessages.readerTestTitle(part.station);
  const readCard = async (): Promise<void> => {
    setCard(null);
    setWaiting(true);
    const path = `/readers/${encodeURIComponent(part.station)}/next_card`;
    const result = await run<NextCardResponse>(
      { method: 'POST', path, body: {}, timeoutMs: CARD_REQUEST_TIMEOUT_MS },
      error => (isTechnicianApiRejectionWith(error, 409, 'busy') ? credentialTestMessages.readerInUseText : null),
    );
    setWaiting(false);
    setCard(result);
    await tests.reload();
  };
  return (
    <HardwareTestPanel id={part.id} title={title}>
      <Button
        icon={icons.cardIcon}
        isDisabled={isWaiting}
        label={`${title}: ${testMessages.readCardButton}`}
        onPress={() => void readCard()}
      >
        {testMessages.readCardButton}
      </Button>
      {isWaiting ? <PresentCardPrompt /> : null}
      <div role="status">{card === null ? null : <CardReading card={card} />}</div>
    </HardwareTestPanel>
  );
};

export const KeypadTestPanel = ({ part }: StationTestProps) => {
  const [keys, setKeys] = useState<readonly string[]>([]);
  useLiveMessages(event => {
    if (event.type !== 'key' || event.station !== part.station) return;
    setKeys(before => [...before, event.key].slice(-SHOWN_KEYS));
  });
  return (
    <HardwareTestPanel id={part.id} title={testMessages.keypadTestTitle(part.station)} isUsed={keys.length > 0}>
      <p class="quiet small">{testMessages.keypadTestHint}</p>
      <p class="typed-keys" role="status" aria-label={testMessages.pressedKeyCountText(keys.length)}>
        {keys.join(' ')}
      </p>
    </HardwareTestPanel>
  );
};
