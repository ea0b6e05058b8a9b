import * as credentialTestMessages from '../messages/english/credential-test.ts';
import { useState } from 'preact/hooks';
import { useLiveMessages } from '../api/controller-hooks.ts';
import { HardwareTestPanel } from '../hardware-tests/hardware-test-panel.tsx';
import { formatHardwareTestTitle } from '../hardware-tests/format-hardware-test-title.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';

/** The id of the rule test that a use of the commissioning credential belongs to; null for any other event. */
const buildInputRuleTestId = (liveEvent: TechnicianLiveMessage): string | null => {
  if (liveEvent.type !== 'event') return null;
  const { kind, gadget_id, gadget_action_id, detail } = liveEvent.event;
  if (kind !== 'use' || gadget_id == null || gadget_action_id == null) return null;
  return detail?.startsWith('commissioning') === true ? `rule:${gadget_id}:${gadget_action_id}` : null;
};

/** Asks the technician for the result of each granted rule: the controller cannot see whether the door opened. */
export const InputRuleTestsPanel = () => {
  const names = useGadgetAndActionNames();
  const [ids, setIds] = useState<readonly string[]>([]);
  useLiveMessages(liveEvent => {
    const id = buildInputRuleTestId(liveEvent);
    if (id !== null) setIds(before => (before.includes(id) ? before : [id, ...before]));
  });
  return (
    <ul class="tests">
      {ids.map(id => (
        <HardwareTestPanel key={id} id={id} title={formatHardwareTestTitle(id, names)} isUsed>
          <p>{credentialTestMessages.accessWasGrantedText}</p>
        </HardwareTestPanel>
      ))}
    </ul>
  );
};
