import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { useNotify } from '../../api/use-session.ts';
import { FormField } from '../../../components/field.tsx';
import * as ruleCopyMessages from '../../messages/english/rule-copies.ts';
import { useControllerData } from '../../state/shared-controller-resources.ts';
import { useApiAction } from '../../state/use-action.ts';
import { useGadgetNameLookup } from '../../state/use-gadget-names.ts';
import { ComparedRules } from '../../../components/rules-editor/rule-comparison.tsx';
import { haveSameRules } from '../../../components/rules-editor/rule.ts';
import { RULE_TRIAL_SECONDS } from '../trial/trial-duration.ts';
import { type GadgetMapping, mapGadgets, mapRules } from './map-rules.ts';

interface MappingProps {
  readonly mapping: GadgetMapping;
  readonly targets: TechnicianRules['destinations'];
  readonly onChoose: (gadgetId: string) => void;
}

const MappingRow = ({ mapping: { gadget, target, missingActions }, targets, onChoose }: MappingProps) => (
  <div>
    <FormField id={`map-${gadget.gadget_id}`} label={ruleCopyMessages.gadgetMappingLabel(gadget.name)}>
      {described => (
        <select {...described} value={target?.gadget_id ?? ''} onChange={event => onChoose(event.currentTarget.value)}>
          {target === null ? <option value="">{ruleCopyMessages.chooseGadget}</option> : null}
          {targets.map(({ gadget_id, name }) => (
            <option key={gadget_id} value={gadget_id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </FormField>
    {target === null ? <p class="wrong small">{ruleCopyMessages.noMatchingGadget(gadget.name)}</p> : null}
    {missingActions.length > 0 ? (
      <p class="wrong small">{ruleCopyMessages.missingActions(target?.name ?? '', missingActions)}</p>
    ) : null}
  </div>
);

interface CopyFormProps {
  readonly value: TechnicianRules;
  readonly device: TechnicianRules['site_devices'][number];
  readonly onStarted: () => void;
}

/** Compares the rules of another controller with the copy, and starts a trial there. */
export const CopyForm = ({ value, device, onStarted }: CopyFormProps) => {
  const { rules } = useControllerData();
  const { run, isBusy } = useApiAction();
  const notify = useNotify();
  const names = useGadgetNameLookup();
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const name = device.name ?? ruleCopyMessages.unnamedController;
  if (device.input_rules === null) return <p>{ruleCopyMessages.rulesUnknown}</p>;
  const previous = device.input_rules;
  const mappings = mapGadgets(value.input_rules, value.destinations, device.id, choices);
  const copied = mapRules(value.input_rules, mappings);
  const isSame = copied !== null && haveSameRules(copied, previous);
  const start = async (): Promise<void> => {
    const body = { to: device.id, input_rules: copied, previous, confirm_within_s: RULE_TRIAL_SECONDS };
    const result = await run<TechnicianRules>({ method: 'POST', path: '/input_rules/copy', body });
    if (result === null) return;
    notify(ruleCopyMessages.copyTrialStarting(name));
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
        <ComparedRules
          yours={{ title: ruleCopyMessages.targetRulesHeading(name), rules: previous }}
          theirs={{ title: ruleCopyMessages.targetRulesAfterCopyHeading(name), rules: copied }}
          names={names}
        />
      )}
      <p class="quiet small">{isSame ? ruleCopyMessages.targetHasSameRules : ruleCopyMessages.copyTrialHint(name)}</p>
      <Button icon={icons.copyIcon} isDisabled={copied === null || isSame || isBusy} onPress={() => void start()}>
        {ruleCopyMessages.startTrialButton(name)}
      </Button>
    </>
  );
};
