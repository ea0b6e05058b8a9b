import type {
  CreateCommissioningCredentialResponse,
  CommissioningCredentialStateResponse,
} from '@lintel/wire-protocol/technician/commissioning-credential';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import { ObservableValue, useObservableValue } from '../api/observable-value.ts';
import { useLiveMessages, useControllerResource } from '../api/controller-hooks.ts';
import { useCountdown } from '../state/use-countdown.ts';
import { useNotify } from '../state/notice-context.ts';
import { CARD_REQUEST_TIMEOUT_MS, PresentCardPrompt } from '../components/present-card-prompt.tsx';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { InputRuleTestsPanel } from './input-rule-tests.tsx';

const POLL_MS = 10_000;

/** The API returns the PIN once. It stays in memory so that it survives a change of the screen. */
const createdPin = new ObservableValue<string | null>(null);

interface ActiveCredentialProps {
  readonly state: CommissioningCredentialStateResponse;
  readonly secondsLeft: number;
  readonly pin: string | null;
  readonly onEnd: () => void;
}

const ActiveCredential = ({ state, secondsLeft, pin, onEnd }: ActiveCredentialProps) => (
  <div class="active-credential">
    {state.kind === 'card' ? (
      <p class="big">{credentialTestMessages.maskedCardUidText(state.card ?? '')}</p>
    ) : pin === null ? (
      <p>{credentialTestMessages.pinNoLongerShownText}</p>
    ) : (
      <>
        <p class="quiet">{credentialTestMessages.yourPinLabel}</p>
        <p class="pin">{pin}</p>
        <p class="quiet small">{credentialTestMessages.pinShownOnceText}</p>
      </>
    )}
    <p>
      <strong>{credentialTestMessages.credentialTimeLeftText(shellMessages.formatCountdown(secondsLeft))}</strong> ·{' '}
      {credentialTestMessages.credentialUseCountText(state.uses)}
    </p>
    <Button onPress={onEnd}>{credentialTestMessages.deleteCredentialButton}</Button>
  </div>
);

export const CommissioningCredentialPanel = () => {
  const { value, loadedAt, reload } = useControllerResource<CommissioningCredentialStateResponse>(
    '/commissioning',
    POLL_MS,
  );
  const secondsLeft = useCountdown(value?.seconds_left ?? null, loadedAt);
  const pin = useObservableValue(createdPin);
  const [isWaiting, setWaiting] = useState(false);
  const { run } = useApiAction();
  const notify = useNotify();
  useLiveMessages(({ type }) => {
    if (type === 'event') void reload();
  });
  const create = async (kind: 'pin' | 'next_card'): Promise<void> => {
    setWaiting(kind === 'next_card');
    const created = await run<CreateCommissioningCredentialResponse>(
      { method: 'POST', path: '/commissioning', body: { kind }, timeoutMs: CARD_REQUEST_TIMEOUT_MS },
      error => {
        if (isTechnicianApiRejectionWith(error, 409, 'not_claimed'))
          return credentialTestMessages.controllerNotClaimedText;
        if (isTechnicianApiRejectionWith(error, 403, 'setup_code_ended'))
          return credentialTestMessages.setupCodeEndedText;
        return isTechnicianApiRejectionWith(error, 409, 'busy') ? credentialTestMessages.readerInUseText : null;
      },
    );
    setWaiting(false);
    if (created === null) return;
    if (created.outcome === 'no_card') notify(credentialTestMessages.noCardPresentedText, true);
    createdPin.set(created.pin);
    await reload();
  };
  const end = async (): Promise<void> => {
    createdPin.set(null);
    await run({ method: 'DELETE', path: '/commissioning' });
    await reload();
  };
  return (
    <section class="card panel" aria-labelledby="commissioning">
      <h2 id="commissioning">{credentialTestMessages.commissioningCredentialHeading}</h2>
      <p class="quiet">{credentialTestMessages.commissioningCredentialIntroText}</p>
      {value?.active === true && secondsLeft > 0 ? (
        <ActiveCredential state={value} secondsLeft={secondsLeft} pin={pin} onEnd={() => void end()} />
      ) : null}
      <InputRuleTestsPanel />
      {isWaiting ? <PresentCardPrompt /> : null}
      <div class="bar">
        <Button variant="primary" icon={icons.keypadIcon} isDisabled={isWaiting} onPress={() => void create('pin')}>
          {credentialTestMessages.createPinButton}
        </Button>
        <Button icon={icons.cardIcon} isDisabled={isWaiting} onPress={() => void create('next_card')}>
          {credentialTestMessages.createCardCredentialButton}
        </Button>
      </div>
      <p class="quiet small">{credentialTestMessages.ownGadgetsOnlyText}</p>
    </section>
  );
};
