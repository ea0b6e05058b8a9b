import { toPinDigits } from '@lintel/access-core/pin-digits';
import type { CredentialTestResponse } from '@lintel/wire-protocol/technician/try-input-rules';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SegmentedControl } from '../../design/controls.tsx';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import { CARD_REQUEST_TIMEOUT_MS, PresentCardPrompt } from '../components/present-card-prompt.tsx';
import { MemberReference } from '../components/member-reference.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { describeGadgetAction } from '../live/describe-live-message.ts';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as liveMessages from '../messages/english/live-log.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { describeInputRuleAction } from '../../components/input-rules-editor/describe-input-rule.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import type { GadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import { useLockoutCountdown } from '../state/use-lockout-countdown.ts';

type CredentialType = 'pin' | 'next_card';

interface AccessCheckResultProps {
  readonly result: CredentialTestResponse;
  readonly names: GadgetAndActionNames;
}

const AccessCheckResult = ({ result, names }: AccessCheckResultProps) => {
  if (result.outcome === 'no_card') return <p class="access-check">{credentialTestMessages.noCardPresentedText}</p>;
  const isGranted = result.granted === true;
  const action = describeGadgetAction(names, result.would?.gadget_id, result.would?.action_id);
  const { subject } = result;
  return (
    <div class="access-check" data-is-granted={isGranted ? '' : undefined}>
      <StatusIcon level={isGranted ? 'ok' : 'error'} />
      <div>
        <p>
          <strong>
            {isGranted
              ? credentialTestMessages.wouldBeGrantedText(action)
              : credentialTestMessages.wouldBeDeniedText(action)}
          </strong>
        </p>
        {result.reason === null ? null : <p>{liveMessages.denialReasonText(result.reason)}</p>}
        {result.card === null ? null : (
          <p class="quiet small">{credentialTestMessages.maskedCardUidText(result.card)}</p>
        )}
        {subject?.is_commissioning === true ? (
          <p class="quiet small">{credentialTestMessages.temporaryCredentialNotice}</p>
        ) : null}
        {subject?.member_id == null ? null : (
          <p class="small">
            <MemberReference id={subject.member_id} />
          </p>
        )}
        {result.would?.is_own === false ? (
          <p class="quiet small">{credentialTestMessages.otherControllerDecidesText}</p>
        ) : null}
      </div>
    </div>
  );
};

/** Shows the decision for a credential without an action at the door. */
export const CredentialCheckForm = () => {
  const { rules } = useSharedControllerData();
  const names = useGadgetAndActionNames();
  const { run, isBusy } = useApiAction();
  const { secondsLeft, startLockout } = useLockoutCountdown();
  const [code, setCode] = useState('');
  const [type, setType] = useState<CredentialType>('pin');
  const [pin, setPin] = useState('');
  const [result, setResult] = useState<CredentialTestResponse | null>(null);
  const resultElement = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== null) resultElement.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  const inputRules = rules.value?.input_rules ?? [];
  const selectedCode = inputRules.some(rule => rule.code === code) ? code : (inputRules[0]?.code ?? '');
  const isLockedOut = type === 'pin' && secondsLeft > 0;
  const isReady = type === 'next_card' || toPinDigits(pin) !== null;
  const submit = async (): Promise<void> => {
    setResult(null);
    const credential = type === 'pin' ? { type: 'pin', pin } : { type: 'next_card' };
    const body = { code: selectedCode, credential };
    const checked = await run<CredentialTestResponse>(
      { method: 'POST', path: '/input_rules/try', body, timeoutMs: CARD_REQUEST_TIMEOUT_MS },
      error => {
        // The field shows the lockout.
        if (startLockout(error)) return '';
        return isTechnicianApiRejectionWith(error, 409, 'busy') ? credentialTestMessages.readerInUseText : null;
      },
    );
    setResult(checked);
  };
  return (
    <section class="card panel" aria-labelledby="check">
      <h2 id="check">{credentialTestMessages.credentialCheckHeading}</h2>
      <p class="quiet">{credentialTestMessages.credentialCheckIntroText}</p>
      <Form
        isDisabled={!isReady || isBusy || isLockedOut}
        onSubmit={() => void submit()}
        submitLabel={
          isLockedOut
            ? shellMessages.retryCountdownText(shellMessages.formatCountdown(secondsLeft))
            : isBusy
              ? credentialTestMessages.checkInProgressText
              : credentialTestMessages.checkCredentialButton
        }
      >
        {inputRules.length === 0 ? null : (
          <FormField id="check-rule" label={credentialTestMessages.inputRuleLabel}>
            {described => (
              <select {...described} value={selectedCode} onChange={event => setCode(event.currentTarget.value)}>
                {inputRules.map(rule => (
                  <option key={rule.code} value={rule.code}>
                    {credentialTestMessages.inputRuleOptionLabel(rule.code, describeInputRuleAction(rule, names))}
                  </option>
                ))}
              </select>
            )}
          </FormField>
        )}
        <SegmentedControl
          name="credential"
          legend={credentialTestMessages.credentialLegend}
          value={type}
          options={[
            { value: 'pin', label: credentialTestMessages.pinLabel },
            { value: 'next_card', label: credentialTestMessages.nextCardLabel },
          ]}
          onChange={setType}
        />
        {type === 'pin' ? (
          <FormField
            id="check-pin"
            label={credentialTestMessages.pinLabel}
            error={isLockedOut ? credentialTestMessages.pinEntryLockedOutText : null}
          >
            {described => (
              <input
                {...described}
                class="big-code"
                type="password"
                inputmode="numeric"
                autocomplete="off"
                value={pin}
                onInput={event => setPin(event.currentTarget.value.replaceAll(/[^0-9]/g, '').slice(0, 20))}
              />
            )}
          </FormField>
        ) : null}
        {isBusy && type === 'next_card' ? <PresentCardPrompt /> : null}
      </Form>
      <div role="status" ref={resultElement}>
        {result === null ? null : <AccessCheckResult result={result} names={names} />}
      </div>
    </section>
  );
};
