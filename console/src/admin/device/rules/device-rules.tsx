import type { InputRulesResponse } from '@lintel/wire-protocol/admin/device';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { useMemo } from 'preact/hooks';
import {
  type EditableRules,
  RuleDraftProvider,
  useRuleDraftState,
} from '../../../components/rules-editor/draft/use-rule-draft.ts';
import { createGadgetNameLookup } from '../../../components/rules-editor/gadget-names.ts';
import { RulesEditor } from '../../../components/rules-editor/rules-editor.tsx';
import { germanRulesTexts } from '../../../components/rules-editor/texts/de.ts';
import { spanishRulesTexts } from '../../../components/rules-editor/texts/es.ts';
import { RulesTextsProvider, useRulesTexts } from '../../../components/rules-editor/texts/rules-editor-texts.ts';
import { useOrganization } from '../../api/organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { organizationQueryKey, useGadgets, useObject } from '../../api/resources.ts';
import { useNotices } from '../../components/notices.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useLanguage, useMessages } from '../../messages/language.ts';
import { SaveRulesBar } from './apply-rules-bar.tsx';
import { CopyRulesButton } from './copy-rules.tsx';

interface DeviceRulesProps {
  readonly device: DeviceResponse;
}

/** The doors of the site that a rule can open, those of the device first. */
const useDestinations = ({ id, site_id }: DeviceResponse): EditableRules['destinations'] => {
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
  const { id } = useOrganization();
  const { messages } = useLanguage();
  const notices = useNotices();
  const destinations = useDestinations(device);
  const path = `/devices/${device.id}/input_rules`;
  const value: EditableRules = { ...rules, destinations, provisional: null };
  const names = useMemo(() => createGadgetNameLookup(destinations), [JSON.stringify(destinations)]);
  const setValue = ({ device_id, input_rules, base }: EditableRules): void => {
    queryClient.setQueryData(organizationQueryKey(id, 'device', path, {}), { device_id, input_rules, base });
  };
  const draft = useRuleDraftState({ value, setValue });
  return (
    <RuleDraftProvider value={draft}>
      <RulesEditor
        {...{ value, names }}
        keypads={[]}
        fileName={device.name}
        notify={(text, isError) => notices.show(text, isError)}
        headingLevel="h2"
        notes={destinations.length === 0 ? <p class="mark">{messages.rules.noDoors}</p> : null}
        applyBar={state => <SaveRulesBar {...state} path={path} base={rules.base} />}
      >
        <CopyRulesButton device={device} isDirty={draft.isDirty} />
      </RulesEditor>
    </RuleDraftProvider>
  );
};

const textsByLanguage = { de: germanRulesTexts, es: spanishRulesTexts } as const;

/** The input rules of the device, with the editor of the technician page. */
export const DeviceRules = ({ device }: DeviceRulesProps) => {
  const { code } = useLanguage();
  const english = useRulesTexts();
  const rules = useObject<InputRulesResponse>('device', `/devices/${device.id}/input_rules`);
  return (
    <RulesTextsProvider value={code === 'en' ? english : textsByLanguage[code]}>
      <QueryContent query={rules}>{loaded => <Editor device={device} rules={loaded} />}</QueryContent>
    </RulesTextsProvider>
  );
};

/** The same for a role that may not edit them. */
export const RulesSummary = ({ device }: DeviceRulesProps) => {
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
