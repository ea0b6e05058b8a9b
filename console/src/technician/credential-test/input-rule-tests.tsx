import { useState } from 'preact/hooks';
import { useLiveMessages } from '../api/controller-hooks.ts';
import { HardwareTestPanel } from '../hardware-tests/hardware-test-panel.tsx';
import { formatHardwareTestTitle } from '../hardware-tests/format-hardware-test-title.ts';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import { buildInputRuleTestId } from './build-input-rule-test-id.ts';

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
        <HardwareTestPanel key={id} id={id} title={formatHardwareTestTitle(id, names)}>
          <p>{credentialTestMessages.accessWasGrantedText}</p>
        </HardwareTestPanel>
      ))}
    </ul>
  );
};
