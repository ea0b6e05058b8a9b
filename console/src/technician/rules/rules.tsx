import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useState } from 'preact/hooks';
import {
  createIdleLiveKeypads,
  type LiveKeypadState,
  updateLiveKeypads,
} from '../../components/rules-editor/keypad/live-keypads.ts';
import { RulesEditor } from '../../components/rules-editor/rules-editor.tsx';
import * as ruleMessages from '../../components/rules-editor/texts/rules.ts';
import { useLiveEvents, useNotify } from '../api/use-session.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useControllerData } from '../state/shared-controller-resources.ts';
import { useGadgetNameLookup } from '../state/use-gadget-names.ts';
import { ApplyRulesBar } from './apply-bar.tsx';
import { CopyRulesPanel } from './copy/rule-copies.tsx';
import { CloudConflictBanner } from './rule-conflicts.tsx';
import { RuleHistoryPanel } from './rule-history.tsx';

const useLiveKeypads = (): readonly LiveKeypadState[] => {
  const { status } = useControllerData();
  const stations = status.value?.stations ?? [];
  const [keypads, setKeypads] = useState<readonly LiveKeypadState[]>([]);
  const stationIds = stations.map(({ id }) => id).join();
  useEffect(() => setKeypads(createIdleLiveKeypads(stations)), [stationIds]);
  useLiveEvents(event => setKeypads(before => updateLiveKeypads(before, event)));
  return keypads;
};

const Notes = ({ value }: { readonly value: TechnicianRules }) => (
  <>
    {value.pending ? (
      <p class="mark">
        <strong>{ruleMessages.rulesNotSynced}.</strong> {ruleMessages.rulesNotSyncedHint}
      </p>
    ) : null}
    {value.destinations.length === 0 ? (
      <p class="mark">
        {overviewMessages.gadgetsHeading}: {overviewMessages.noGadgetsYet}
      </p>
    ) : null}
  </>
);

export const RulesScreen = () => {
  const { rules, status } = useControllerData();
  const names = useGadgetNameLookup();
  const keypads = useLiveKeypads();
  const notify = useNotify();
  const { value } = rules;
  if (value === null) return <p class="quiet">{shellMessages.loadingInProgress}</p>;
  return (
    <RulesEditor
      {...{ value, names, keypads, notify }}
      fileName={status.value?.name ?? 'lintel'}
      headingLevel="h1"
      banners={<CloudConflictBanner />}
      notes={<Notes value={value} />}
      applyBar={state => <ApplyRulesBar {...state} />}
    >
      <RuleHistoryPanel value={value} />
      <CopyRulesPanel />
    </RulesEditor>
  );
};
