import type { InputRulesResponse } from '@lintel/wire-protocol/admin/device-input-rules';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { useMemo } from 'preact/hooks';
import {
  type EditableInputRules,
  InputRulesDraftProvider,
  useInputRulesDraftState,
} from '../../../components/input-rules-editor/draft/use-rule-draft.ts';
import { createGadgetAndActionNames } from '../../../components/input-rules-editor/gadget-and-action-names.ts';
import { InputRulesEditor } from '../../../components/input-rules-editor/input-rules-editor.tsx';
import { germanInputRulesTexts } from '../../../components/input-rules-editor/texts/de.ts';
import { spanishInputRulesTexts } from '../../../components/input-rules-editor/texts/es.ts';
import {
  InputRulesTextsProvider,
  useInputRulesTexts,
} from '../../../components/input-rules-editor/texts/input-rules-texts-provider.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { buildOrganizationQueryKey, useGadgets, useApiObject } from '../../api/resource-hooks.ts';
import { useNotices } from '../../components/notices.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useLanguage, useMessages } from '../../messages/language.ts';
import { SaveInputRulesBar } from './save-input-rules-bar.tsx';
import { CopyInputRulesButton } from './copy-input-rules-button.tsx';

interface DeviceRulesProps {
  readonly device: DeviceResponse;
}

/** The doors of the site that a rule can open, those of the device first. */
const useDestinations = ({ id, site_id }: DeviceResponse): EditableInputRules['destinations'] => {
  const { data: gadgets = [] } = useGadgets();
  return gadgets
    .filter(gadget => gadget.site_id === site_id && gadget.actions.length > 0)
    .map(({ id: gadget_id, name, actions, device_id }) => ({
      gadget_id,
      name,
      actions,
      device_id,
      is_own: device_id === id,
    }))
    .toSorted((a, b) => Number(b.is_own) - Number(a.is_own));
};

const Editor = ({ device, rules }: DeviceRulesProps & { readonly rules: InputRulesResponse }) => {
  const { id } = useCurrentOrganization();
  const { messages } = useLanguage();
  const notices = useNotices();
  const destinations = useDestinations(device);
  const path = `/devices/${device.id}/input_rules`;
  const value: EditableInputRules = { ...rules, destinations, provisional: null };
  const names = useMemo(() => createGadgetAndActionNames(destinations), [JSON.stringify(destinations)]);
  const setValue = ({ device_id, input_rules, base }: EditableInputRules): void => {
    queryClient.setQueryData(buildOrganizationQueryKey(id, 'device', path, {}), { device_id, input_rules, base });
  };
  const draft = useInputRulesDraftState({ value, setValue });
  return (
    <InputRulesDraftProvider value={draft}>
      <InputRulesEditor
        {...{ value, names }}
        keypads={[]}
        fileName={device.name}
        notify={(text, isError) => notices.show(text, isError)}
        headingLevel="h2"
        notes={destinations.length === 0 ? <p class="mark">{messages.rules.noDoors}</p> : null}
        applyBar={state => <SaveInputRulesBar {...state} path={path} base={rules.base} />}
      >
        <CopyInputRulesButton device={device} isDirty={draft.isDirty} />
      </InputRulesEditor>
    </InputRulesDraftProvider>
  );
};

const textsByLanguage = { de: germanInputRulesTexts, es: spanishInputRulesTexts } as const;

/** The input rules of the device, with the editor of the technician page. */
export const DeviceInputRulesPanel = ({ device }: DeviceRulesProps) => {
  const { code } = useLanguage();
  const english = useInputRulesTexts();
  const rules = useApiObject<InputRulesResponse>('device', `/devices/${device.id}/input_rules`);
  return (
    <InputRulesTextsProvider value={code === 'en' ? english : textsByLanguage[code]}>
      <QueryContent query={rules}>{loaded => <Editor device={device} rules={loaded} />}</QueryContent>
    </InputRulesTextsProvider>
  );
};

/** The same for a role that may not edit them. */
export const InputRulesSummary = ({ device }: DeviceRulesProps) => {
  const { door: texts, rules } = useMessages();
  const { data: gadgets = [] } = useGadgets();
  const nameOf = (id: string): string => gadgets.find(gadget => gadget.id === id)?.name ?? id;
  return (
    <section class="card panel" aria-labelledby="device-rules">
      <h2 id="device-rules">{texts.rules}</h2>
      {device.input_rules.length === 0 ? <p class="quiet">{rules.none}</p> : null}
      <ul class="entry-list">
        {device.input_rules.map(({ code, gadget_id }) => (
          <li key={code}>
            <span>{texts.rule(code, nameOf(gadget_id))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
