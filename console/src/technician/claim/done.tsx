import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { Press } from '../../design/controls.tsx';
import { Facts } from '../frame/facts.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import { addressOf } from '../frame/screens.ts';
import { StateMark } from '../frame/state-mark.tsx';
import * as claimWords from '../words/english/claim-words.ts';
import * as overviewWords from '../words/english/overview-words.ts';

interface DoneProps {
  readonly state: TechnicianClaimState;
  readonly startAnew: () => void;
}

/** Whose the controller is, in names as soon as the desk has told them. */
export const Done = ({ state, startAnew }: DoneProps) => {
  const { status, rules } = useWhatIsKnown();
  const known = status.value;
  return (
    <>
      {state.anew === null ? null : (
        <p class="card panel wrong" role="alert">
          {claimWords.stays(state.anew.message ?? '')}
        </p>
      )}
      <section class="card panel" aria-labelledby="done">
        <div class="glance-title">
          <StateMark mood="good" />
          <h1 id="done">{claimWords.doneHeading}</h1>
        </div>
        <p>{claimWords.done}</p>
        <Facts
          facts={[
            [claimWords.device, known?.device_name ?? state.device_id ?? ''],
            [overviewWords.site, known?.site_name ?? state.site_id ?? ''],
            [overviewWords.gadgets, known?.gadgets.map(({ name }) => name).join(', ') || overviewWords.noData],
            [claimWords.rules, String(rules.value?.input_rules.length ?? 0)],
            [overviewWords.bridge, state.bridge_url ?? ''],
          ]}
        />
        <p>
          <a class="button primary" href={addressOf('rules')}>
            {claimWords.goOn}
          </a>
        </p>
      </section>
      <details class="card explanation">
        <summary>
          <h2>{claimWords.anewHeading}</h2>
        </summary>
        <p>{claimWords.anew}</p>
        <p>
          <Press press={startAnew}>{claimWords.anewStart}</Press>
        </p>
      </details>
    </>
  );
};
