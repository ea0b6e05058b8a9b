import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { useWhatIsKnown } from '../frame/known.ts';
import { type Mood, StateMark } from '../frame/state-mark.tsx';
import { useOrder } from '../frame/use-order.ts';
import { useNotify } from '../link/use-visit.ts';
import * as copyWords from '../words/english/copy-words.ts';

const moods: Readonly<Record<TechnicianRules['copies'][number]['state'], Mood>> = {
  waiting: 'quiet',
  copied: 'good',
  refused: 'wrong',
};

/** To the other controllers of the site, through the bridge. */
export const Copying = () => {
  const { rules } = useWhatIsKnown();
  const { order, isBusy } = useOrder();
  const notify = useNotify();
  const [to, setTo] = useState<readonly string[]>([]);
  const { value } = rules;
  if (value === null) return null;
  const { site_devices, copies } = value;
  const nameOf = (id: string): string => site_devices.find(one => one.id === id)?.name ?? copyWords.unnamed;
  const copy = async (): Promise<void> => {
    const answer = await order<TechnicianRules>({
      method: 'POST',
      path: '/input_rules/copy',
      body: { to, own_gadgets: 'match' },
    });
    if (answer === null) return;
    setTo([]);
    notify(copyWords.asked);
    rules.put(answer);
  };
  return (
    <details class="card panel">
      <summary>
        <h2>{copyWords.heading}</h2>
      </summary>
      <p class="quiet">{copyWords.hint}</p>
      {site_devices.length === 0 ? <p>{copyWords.none}</p> : null}
      <fieldset class="choices">
        <legend class="unseen">{copyWords.to}</legend>
        {site_devices.map(({ id, name }) => (
          <label key={id} class="choice">
            <input
              type="checkbox"
              checked={to.includes(id)}
              onChange={event => setTo(event.currentTarget.checked ? [...to, id] : to.filter(one => one !== id))}
            />
            <span>
              {name ?? copyWords.unnamed} <small class="quiet">{id}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {site_devices.length === 0 ? null : (
        <>
          <p class="quiet small">{copyWords.own}</p>
          <Press icon={shapes.copy} isOff={to.length === 0 || isBusy} press={() => void copy()}>
            {copyWords.press(to.length)}
          </Press>
        </>
      )}
      <ul class="checks">
        {copies.map(({ device_id, state, message, reason }) => (
          <li key={device_id} class="check">
            <StateMark mood={moods[state]} />
            <p>
              <strong>{nameOf(device_id)}</strong> {copyWords.state[state]}
              {state === 'refused' ? `: ${message ?? reason ?? ''}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
};
