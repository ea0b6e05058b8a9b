import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useDevices } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

/** The input rules of all controllers that use the door. */
export const DoorInputRulesPanel = ({ door }: { readonly door: GadgetResponse }) => {
  const { door: texts } = useMessages();
  const { data: devices = [] } = useDevices();
  const linkTo = useLinkTo();
  const rules = devices.flatMap(device =>
    device.input_rules.filter(({ gadget_id }) => gadget_id === door.id).map(rule => ({ device, ...rule })),
  );
  const actionName = (id: string): string => door.actions.find(action => action.id === id)?.name ?? id;
  return (
    <section class="card panel" aria-labelledby="door-rules">
      <h2 id="door-rules">{texts.rules}</h2>
      {rules.length === 0 ? <p class="quiet">{texts.noRules}</p> : null}
      <ul class="entry-list">
        {rules.map(({ device, code, action_id }) => (
          <li key={`${device.id} ${code}`}>
            <span>
              {texts.rule(code, actionName(action_id))}
              <small>
                <a href={linkTo(`/devices/${device.id}`)}>{device.name}</a>
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
