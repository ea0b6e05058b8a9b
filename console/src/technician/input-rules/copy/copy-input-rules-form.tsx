import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { useNotify } from '../../state/notice-context.ts';
import { FormField } from '../../../components/form-field.tsx';
import * as ruleCopyMessages from '../../messages/english/copy-input-rules.ts';
import { useSharedControllerData } from '../../state/shared-controller-data.ts';
import { useApiAction } from '../../state/use-api-action.ts';
import { useGadgetAndActionNames } from '../../state/use-gadget-and-action-names.ts';
import { SideBySideInputRules } from '../../../components/input-rules-editor/input-rules-comparison.tsx';
import { areSameInputRules } from '../../../components/input-rules-editor/draft-input-rule.ts';
import { INPUT_RULES_TRIAL_SECONDS } from '../provisional-rules/seconds-until-revert.ts';
import {
  type GadgetReplacement,
  mapGadgetsToTargetController,
  mapInputRulesToTargetController,
} from './map-input-rules-to-target-controller.ts';

interface MappingProps {
  readonly mapping: GadgetReplacement;
  readonly targets: TechnicianInputRulesResponse['destinations'];
  readonly onChoose: (gadgetId: string) => void;
}

const MappingRow = ({ mapping: { gadget, target, missingActions }, targets, onChoose }: MappingProps) => (
  <div>
    <FormField id={`map-${gadget.gadget_id}`} label={ruleCopyMessages.replacementGadgetLabel(gadget.name)}>
      {described => (
        <select {...described} value={target?.gadget_id ?? ''} onChange={event => onChoose(event.currentTarget.value)}>
          {target === null ? <option value="">{ruleCopyMessages.chooseGadgetPlaceholder}</option> : null}
          {targets.map(({ gadget_id, name }) => (
            <option key={gadget_id} value={gadget_id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </FormField>
    {target === null ? <p class="wrong small">{ruleCopyMessages.noMatchingGadgetText(gadget.name)}</p> : null}
    {missingActions.length > 0 ? (
      <p class="wrong small">{ruleCopyMessages.missingActionsText(target?.name ?? '', missingActions)}</p>
    ) : null}
  </div>
);

interface CopyFormProps {
  readonly value: TechnicianInputRulesResponse;
  readonly device: TechnicianInputRulesResponse['site_devices'][number];
  readonly onStarted: () => void;
}

/** Compares the rules of another controller with the copy, and starts a trial there. */
export const CopyInputRulesForm = ({ value, device, onStarted }: CopyFormProps) => {
  const { rules } = useSharedControllerData();
  const { run, isBusy } = useApiAction();
  const notify = useNotify();
  const names = useGadgetAndActionNames();
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const name = device.name ?? ruleCopyMessages.unnamedControllerText;
  if (device.input_rules === null) return <p>{ruleCopyMessages.targetRulesUnknownText}</p>;
  const previous = device.input_rules;
  const mappings = mapGadgetsToTargetController(value.input_rules, value.destinations, device.id, choices);
  const copied = mapInputRulesToTargetController(value.input_rules, mappings);
  const isSame = copied !== null && areSameInputRules(copied, previous);
  const start = async (): Promise<void> => {
    const body = { to: device.id, input_rules: copied, previous, confirm_within_s: INPUT_RULES_TRIAL_SECONDS };
    const result = await run<TechnicianInputRulesResponse>({ method: 'POST', path: '/input_rules/copy', body });
    if (result === null) return;
    notify(ruleCopyMessages.copyTrialStartingText(name));
    rules.setValue(result);
    onStarted();
  };
  return (
    <>
      {mappings.map(mapping => (
        <MappingRow
          key={mapping.gadget.gadget_id}
          mapping={mapping}
          targets={value.destinations.filter(({ device_id }) => device_id === device.id)}
          onChoose={id => setChoices({ ...choices, [mapping.gadget.gadget_id]: id })}
        />
      ))}
      {copied === null ? null : (
        <SideBySideInputRules
          yours={{ title: ruleCopyMessages.targetRulesHeading(name), rules: previous }}
          theirs={{ title: ruleCopyMessages.targetRulesAfterCopyHeading(name), rules: copied }}
          names={names}
        />
      )}
      <p class="quiet small">
        {isSame ? ruleCopyMessages.targetHasSameRulesText : ruleCopyMessages.copyInputRulesTrialHint(name)}
      </p>
      <Button icon={icons.copyIcon} isDisabled={copied === null || isSame || isBusy} onPress={() => void start()}>
        {ruleCopyMessages.startCopyTrialButton(name)}
      </Button>
    </>
  );
};
