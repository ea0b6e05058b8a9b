import { useState } from 'preact/hooks';
import { useLiveEvents } from '../api/use-session.ts';
import { TestCard } from '../hardware-tests/test-card.tsx';
import { testTitle } from '../hardware-tests/test-title.ts';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import { useGadgetNames } from '../state/use-gadget-names.ts';
import { ruleTestIdOf } from './rule-test-id.ts';

/** Asks the technician for the result of each granted rule: the controller cannot see whether the door opened. */
export const RuleTests = () => {
  const names = useGadgetNames();
  const [ids, setIds] = useState<readonly string[]>([]);
  useLiveEvents(liveEvent => {
    const id = ruleTestIdOf(liveEvent);
    if (id !== null) setIds(before => (before.includes(id) ? before : [id, ...before]));
  });
  return (
    <ul class="tests">
      {ids.map(id => (
        <TestCard key={id} id={id} title={testTitle(id, names)}>
          <p>{credentialTestMessages.wasGranted}</p>
        </TestCard>
      ))}
    </ul>
  );
};
