import type { NextCardResponse } from '@lintel/wire-protocol/technician/tests';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { isRejectedWith } from '../api/api-result.ts';
import { useLiveEvents } from '../api/use-session.ts';
import { CARD_TIMEOUT_MS, CardPrompt } from '../components/card-prompt.tsx';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { useControllerData } from '../state/controller-data.ts';
import { useAction } from '../state/use-action.ts';
import { TestCard } from './test-card.tsx';
import type { StationPart } from './testable-parts.ts';
import { useTestAction } from './use-test-action.tsx';

const SHOWN_KEYS = 24;

interface StationTestProps {
  readonly part: StationPart;
}

export const FeedbackTest = ({ part }: StationTestProps) => {
  const { execute, isBusy, message } = useTestAction();
  const title = testMessages.feedback(part.station);
  const path = `/stations/${encodeURIComponent(part.station)}/feedback`;
  const playButton = (pattern: 'granted' | 'denied') => (
    <Button
      icon={icons.bell}
      isDisabled={isBusy}
      label={`${title}: ${testMessages.patterns[pattern]}`}
      onPress={() => void execute(path, { pattern }, testMessages.playing)}
    >
      {testMessages.patterns[pattern]}
    </Button>
  );
  return (
    <TestCard id={part.id} title={title}>
      <div class="bar">
        {playButton('granted')}
        {playButton('denied')}
      </div>
      {message}
    </TestCard>
  );
};

const CardReading = ({ card }: { readonly card: NextCardResponse }) => {
  if (card.outcome === 'no_card') return <p>{credentialTestMessages.noCard}</p>;
  if (card.uid === null) return <p>{testMessages.phone}</p>;
  return (
    <>
      <p class="uid">{card.uid}</p>
      <p class="quiet small">{testMessages.uidOnce}</p>
    </>
  );
};

export const ReaderTest = ({ part }: StationTestProps) => {
  const { run } = useAction();
  const { tests } = useControllerData();
  const [isWaiting, setWaiting] = useState(false);
  const [card, setCard] = useState<NextCardResponse | null>(null);
  const title = testMessages.reader(part.station);
  const readCard = async (): Promise<void> => {
    setCard(null);
    setWaiting(true);
    const path = `/readers/${encodeURIComponent(part.station)}/next_card`;
    const result = await run<NextCardResponse>({ method: 'POST', path, body: {}, timeoutMs: CARD_TIMEOUT_MS }, error =>
      isRejectedWith(error, 409, 'busy') ? credentialTestMessages.busy : null,
    );
    setWaiting(false);
    setCard(result);
    await tests.reload();
  };
  return (
    <TestCard id={part.id} title={title}>
      <Button
        icon={icons.card}
        isDisabled={isWaiting}
        label={`${title}: ${testMessages.readCard}`}
        onPress={() => void readCard()}
      >
        {testMessages.readCard}
      </Button>
      {isWaiting ? <CardPrompt /> : null}
      <div role="status">{card === null ? null : <CardReading card={card} />}</div>
    </TestCard>
  );
};

export const KeypadTest = ({ part }: StationTestProps) => {
  const [keys, setKeys] = useState<readonly string[]>([]);
  useLiveEvents(event => {
    if (event.type !== 'key' || event.station !== part.station) return;
    setKeys(before => [...before, event.key].slice(-SHOWN_KEYS));
  });
  return (
    <TestCard id={part.id} title={testMessages.keypad(part.station)}>
      <p class="quiet small">{testMessages.keypadHint}</p>
      <p class="typed-keys" role="status" aria-label={testMessages.keys(keys.length)}>
        {keys.join(' ')}
      </p>
    </TestCard>
  );
};
