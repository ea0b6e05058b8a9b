import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useControllerData } from '../state/controller-data.ts';
import { useApiAction } from '../state/use-action.ts';
import { useCountdown, useNotify } from '../api/use-session.ts';
import * as shellMessages from '../messages/english/shell.ts';
import * as ruleTrialMessages from '../messages/english/rule-trial.ts';

/** Shown on every screen while rules are active on trial. */
export const RuleTrialBanner = () => {
  const { rules } = useControllerData();
  const { run, isBusy } = useApiAction();
  const notify = useNotify();
  const { value, loadedAt, reload, setValue } = rules;
  const provisional = value?.provisional ?? null;
  const secondsLeft = useCountdown(provisional?.seconds_left ?? null, loadedAt);
  const choice = useRef<'confirm' | 'revert' | null>(null);
  const wasOnTrial = useRef(false);
  useEffect(() => {
    if (provisional !== null && secondsLeft === 0) void reload();
  }, [secondsLeft === 0]);
  useEffect(() => {
    if (provisional === null && wasOnTrial.current) {
      notify(
        choice.current === 'confirm'
          ? ruleTrialMessages.rulesKept
          : choice.current === 'revert'
            ? ruleTrialMessages.rulesReverted
            : ruleTrialMessages.trialExpired,
      );
      choice.current = null;
    }
    wasOnTrial.current = provisional !== null;
  }, [provisional === null]);
  if (provisional === null) return null;
  const end = async (how: 'confirm' | 'revert'): Promise<void> => {
    choice.current = how;
    const result = await run<TechnicianRules>({ method: 'POST', path: `/input_rules/${how}`, body: {} });
    if (result === null) choice.current = null;
    else setValue(result);
  };
  return (
    <section class="card panel trial" aria-labelledby="trial">
      <div>
        <h2 id="trial">{ruleTrialMessages.heading}</h2>
        <p>{ruleTrialMessages.hint}</p>
      </div>
      <p class="countdown" role="timer">
        {shellMessages.formatCountdown(secondsLeft)}
      </p>
      <div class="bar">
        <Button variant="primary" icon={icons.checkMarkIcon} isDisabled={isBusy} onPress={() => void end('confirm')}>
          {ruleTrialMessages.keepRulesButton}
        </Button>
        <Button icon={icons.undoIcon} isDisabled={isBusy} onPress={() => void end('revert')}>
          {ruleTrialMessages.revertNowButton}
        </Button>
      </div>
    </section>
  );
};
