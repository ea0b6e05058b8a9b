import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { useCountdown } from '../../state/use-countdown.ts';
import { useNotify } from '../../state/notice-context.ts';
import * as ruleCopyMessages from '../../messages/english/copy-input-rules.ts';
import * as ruleTrialMessages from '../../messages/english/provisional-input-rules.ts';
import * as shellMessages from '../../messages/english/shell.ts';
import { useSharedControllerData } from '../../state/shared-controller-data.ts';
import { useApiAction } from '../../state/use-api-action.ts';

type Decision = 'confirm' | 'revert';

interface TrialProps {
  readonly heading: string;
  readonly hint: string;
  readonly secondsLeft: number;
  readonly path: string;
  readonly body: object;
  readonly onDecision?: (decision: Decision | null) => void;
}

const Trial = ({ heading, hint, secondsLeft, path, body, onDecision }: TrialProps) => {
  const { rules } = useSharedControllerData();
  const { run, isBusy } = useApiAction();
  const end = async (decision: Decision): Promise<void> => {
    onDecision?.(decision);
    const result = await run<TechnicianInputRulesResponse>({ method: 'POST', path: `${path}/${decision}`, body });
    if (result === null) onDecision?.(null);
    else rules.setValue(result);
  };
  return (
    <section class="card trial" aria-label={heading}>
      <p class="countdown" role="timer">
        {shellMessages.formatCountdown(secondsLeft)}
      </p>
      <div class="trial-text">
        <h2>{heading}</h2>
        <p class="small">{hint}</p>
      </div>
      <div class="bar">
        <Button variant="primary" icon={icons.checkMarkIcon} isDisabled={isBusy} onPress={() => void end('confirm')}>
          {ruleTrialMessages.keepInputRulesButton}
        </Button>
        <Button icon={icons.undoIcon} isDisabled={isBusy} onPress={() => void end('revert')}>
          {ruleTrialMessages.revertInputRulesButton}
        </Button>
      </div>
    </section>
  );
};

/** The rules of this controller that are active on trial. */
const OwnTrial = () => {
  const { rules } = useSharedControllerData();
  const notify = useNotify();
  const { value, loadedAt, reload } = rules;
  const provisional = value?.provisional ?? null;
  const secondsLeft = useCountdown(provisional?.seconds_left ?? null, loadedAt);
  const choice = useRef<Decision | null>(null);
  const wasOnTrial = useRef(false);
  useEffect(() => {
    if (provisional !== null && secondsLeft === 0) void reload();
  }, [secondsLeft === 0]);
  useEffect(() => {
    if (provisional === null && wasOnTrial.current) {
      notify(
        choice.current === 'confirm'
          ? ruleTrialMessages.inputRulesKeptText
          : choice.current === 'revert'
            ? ruleTrialMessages.inputRulesRevertedText
            : ruleTrialMessages.inputRulesTrialExpiredText,
      );
      choice.current = null;
    }
    wasOnTrial.current = provisional !== null;
  }, [provisional === null]);
  if (provisional === null) return null;
  return (
    <Trial
      heading={ruleTrialMessages.inputRulesTrialHeading}
      hint={ruleTrialMessages.inputRulesTrialHint}
      secondsLeft={secondsLeft}
      path="/input_rules"
      body={{}}
      onDecision={decision => {
        choice.current = decision;
      }}
    />
  );
};

/** Rules that were copied to another controller and are on trial there. */
const CopyTrial = ({ copy }: { readonly copy: TechnicianInputRulesResponse['copies'][number] }) => {
  const { rules } = useSharedControllerData();
  const secondsLeft = useCountdown(copy.seconds_left, rules.loadedAt);
  useEffect(() => {
    if (secondsLeft === 0) void rules.reload();
  }, [secondsLeft === 0]);
  const name =
    rules.value?.site_devices.find(({ id }) => id === copy.device_id)?.name ?? ruleCopyMessages.unnamedControllerText;
  return (
    <Trial
      heading={ruleTrialMessages.copyTrialHeading(name)}
      hint={ruleTrialMessages.inputRulesTrialHint}
      secondsLeft={secondsLeft}
      path="/input_rules/copy"
      body={{ to: copy.device_id }}
    />
  );
};

/** Shown at the top of every screen, however far it is scrolled, while rules are active on trial. */
export const InputRulesTrialBar = () => {
  const { rules } = useSharedControllerData();
  const onTrial = (rules.value?.copies ?? []).filter(({ state }) => state === 'on_trial');
  return (
    <div class="trials">
      <OwnTrial />
      {onTrial.map(copy => (
        <CopyTrial key={copy.device_id} copy={copy} />
      ))}
    </div>
  );
};
