import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useControllerData } from '../state/controller-data.ts';
import { type StatusLevel, StatusIcon } from '../../components/status-icon.tsx';
import { useApiAction } from '../state/use-action.ts';
import { useNotify } from '../api/use-session.ts';
import * as ruleCopyMessages from '../messages/english/rule-copies.ts';

const levels: Readonly<Record<TechnicianRules['copies'][number]['state'], StatusLevel>> = {
  waiting: 'neutral',
  copied: 'ok',
  refused: 'error',
};

/** Copies the rules to other controllers of the site, through the bridge. */
export const CopyRulesPanel = () => {
  const { rules } = useControllerData();
  const { run, isBusy } = useApiAction();
  const notify = useNotify();
  const [to, setTo] = useState<readonly string[]>([]);
  const { value } = rules;
  if (value === null) return null;
  const { site_devices, copies } = value;
  const nameOf = (id: string): string =>
    site_devices.find(device => device.id === id)?.name ?? ruleCopyMessages.unnamedController;
  const copy = async (): Promise<void> => {
    const result = await run<TechnicianRules>({
      method: 'POST',
      path: '/input_rules/copy',
      body: { to, own_gadgets: 'match' },
    });
    if (result === null) return;
    setTo([]);
    notify(ruleCopyMessages.copyStarted);
    rules.setValue(result);
  };
  return (
    <details class="card panel">
      <summary>
        <h2>{ruleCopyMessages.heading}</h2>
      </summary>
      <p class="quiet">{ruleCopyMessages.hint}</p>
      {site_devices.length === 0 ? <p>{ruleCopyMessages.noOtherControllers}</p> : null}
      <fieldset class="choices">
        <legend class="unseen">{ruleCopyMessages.copyToLabel}</legend>
        {site_devices.map(({ id, name }) => (
          <label key={id} class="choice">
            <input
              type="checkbox"
              checked={to.includes(id)}
              onChange={event => setTo(event.currentTarget.checked ? [...to, id] : to.filter(other => other !== id))}
            />
            <span>
              {name ?? ruleCopyMessages.unnamedController} <small class="quiet">{id}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {site_devices.length === 0 ? null : (
        <>
          <p class="quiet small">{ruleCopyMessages.ownGadgetHint}</p>
          <Button icon={icons.copyIcon} isDisabled={to.length === 0 || isBusy} onPress={() => void copy()}>
            {ruleCopyMessages.copyButton(to.length)}
          </Button>
        </>
      )}
      <ul class="checks">
        {copies.map(({ device_id, state, message, reason }) => (
          <li key={device_id} class="check">
            <StatusIcon level={levels[state]} />
            <p>
              <strong>{nameOf(device_id)}</strong> {ruleCopyMessages.copyStateNames[state]}
              {state === 'refused' ? `: ${message ?? reason ?? ''}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
};
