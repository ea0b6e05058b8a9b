import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useState } from 'preact/hooks';
import {
  createIdleLiveKeypads,
  type LiveKeypadState,
  applyLiveMessageToKeypads,
} from '../../components/input-rules-editor/keypad/live-keypads.ts';
import { InputRulesEditor } from '../../components/input-rules-editor/input-rules-editor.tsx';
import * as ruleMessages from '../../components/input-rules-editor/texts/en/input-rules-editor.ts';
import { useLiveMessages } from '../api/controller-hooks.ts';
import { useNotify } from '../state/notice-context.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import { ApplyInputRulesBar } from './apply-bar.tsx';
import { CopyInputRulesPanel } from './copy/copy-input-rules-panel.tsx';
import { InputRulesCloudConflictBanner } from './cloud-conflict-banner.tsx';
import { InputRulesHistoryPanel } from './input-rules-history.tsx';

const useLiveKeypads = (): readonly LiveKeypadState[] => {
  const { status } = useSharedControllerData();
  const stations = status.value?.stations ?? [];
  const [keypads, setKeypads] = useState<readonly LiveKeypadState[]>([]);
  const stationIds = stations.map(({ id }) => id).join();
  useEffect(() => setKeypads(createIdleLiveKeypads(stations)), [stationIds]);
  useLiveMessages(event => setKeypads(before => applyLiveMessageToKeypads(before, event)));
  return keypads;
};

const Notes = ({ value }: { readonly value: TechnicianInputRulesResponse }) => (
  <>
    {value.pending ? (
      <p class="mark">
        <strong>{ruleMessages.inputRulesNotSyncedText}.</strong> {ruleMessages.inputRulesNotSyncedHint}
      </p>
    ) : null}
    {value.destinations.length === 0 ? (
      <p class="mark">
        {overviewMessages.gadgetsHeading}: {overviewMessages.noGadgetsYetText}
      </p>
    ) : null}
  </>
);

export const InputRulesScreen = () => {
  const { rules, status } = useSharedControllerData();
  const names = useGadgetAndActionNames();
  const keypads = useLiveKeypads();
  const notify = useNotify();
  const { value } = rules;
  if (value === null) return <p class="quiet">{shellMessages.loadingInProgressText}</p>;
  return (
    <InputRulesEditor
      {...{ value, names, keypads, notify }}
      fileName={status.value?.name ?? 'lintel'}
      headingLevel="h1"
      banners={<InputRulesCloudConflictBanner />}
      notes={<Notes value={value} />}
      applyBar={state => <ApplyInputRulesBar {...state} />}
    >
      <InputRulesHistoryPanel value={value} />
      <CopyInputRulesPanel />
    </InputRulesEditor>
  );
};
