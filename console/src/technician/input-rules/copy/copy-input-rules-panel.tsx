import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { FormField } from '../../../components/form-field.tsx';
import { type StatusLevel, StatusIcon } from '../../../components/status-icon.tsx';
import * as ruleCopyMessages from '../../messages/english/copy-input-rules.ts';
import { useSharedControllerData } from '../../state/shared-controller-data.ts';
import { useApiAction } from '../../state/use-api-action.ts';
import { CopyInputRulesForm } from './copy-input-rules-form.tsx';

type Copy = TechnicianInputRulesResponse['copies'][number];

const levels: Readonly<Record<Copy['state'], StatusLevel>> = {
  waiting: 'neutral',
  on_trial: 'neutral',
  kept: 'ok',
  reverted: 'neutral',
  refused: 'error',
};

const CopyStatus = ({ copy, name }: { readonly copy: Copy; readonly name: string }) => {
  const { rules } = useSharedControllerData();
  const { run, isBusy } = useApiAction();
  const undo = async (): Promise<void> => {
    const body = { to: copy.device_id };
    const result = await run<TechnicianInputRulesResponse>({ method: 'POST', path: '/input_rules/copy/undo', body });
    if (result !== null) rules.setValue(result);
  };
  return (
    <li class="check">
      <StatusIcon level={levels[copy.state]} />
      <p>
        <strong>{name}</strong> {ruleCopyMessages.copyStateNames[copy.state]}
        {copy.message === null ? '' : `: ${copy.message}`}
      </p>
      {copy.state === 'kept' ? (
        <Button variant="plain" icon={icons.undoIcon} isDisabled={isBusy} onPress={() => void undo()}>
          {ruleCopyMessages.undoButton}
        </Button>
      ) : null}
    </li>
  );
};

/** Copies the rules to another controller of the site, at first on trial. */
export const CopyInputRulesPanel = () => {
  const { rules, status } = useSharedControllerData();
  const [target, setTarget] = useState('');
  const { value } = rules;
  if (value === null) return null;
  const { site_devices, copies } = value;
  const nameOf = (id: string): string =>
    site_devices.find(device => device.id === id)?.name ?? ruleCopyMessages.unnamedControllerText;
  const device = site_devices.find(({ id }) => id === target);
  const isOffline = status.value?.upstream.online === false;
  return (
    <details class="card panel">
      <summary>
        <h2>{ruleCopyMessages.copyInputRulesHeading}</h2>
      </summary>
      <div class="form">
        <p class="quiet">{ruleCopyMessages.copyInputRulesHint}</p>
        {site_devices.length === 0 ? <p>{ruleCopyMessages.noOtherControllersText}</p> : null}
        {isOffline ? <p class="mark">{ruleCopyMessages.copyRequiresOnlineControllerText}</p> : null}
        {site_devices.length === 0 || isOffline ? null : (
          <FormField id="copy-to" label={ruleCopyMessages.copyToLabel}>
            {described => (
              <select {...described} value={target} onChange={event => setTarget(event.currentTarget.value)}>
                <option value="">{ruleCopyMessages.chooseControllerPlaceholder}</option>
                {site_devices.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name ?? `${ruleCopyMessages.unnamedControllerText} ${id}`}
                  </option>
                ))}
              </select>
            )}
          </FormField>
        )}
        {device === undefined || isOffline ? null : (
          <CopyInputRulesForm key={device.id} value={value} device={device} onStarted={() => setTarget('')} />
        )}
        <ul class="checks">
          {copies.map(copy => (
            <CopyStatus key={copy.device_id} copy={copy} name={nameOf(copy.device_id)} />
          ))}
        </ul>
      </div>
    </details>
  );
};
