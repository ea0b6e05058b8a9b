import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { Button } from '../../design/controls.tsx';
import { Facts } from '../components/facts.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import * as claimMessages from '../messages/english/claim.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import { screenUrl } from '../shell/screens.ts';
import { useControllerData } from '../state/controller-data.ts';

interface ClaimedProps {
  readonly state: TechnicianClaimState;
  readonly onTransfer: () => void;
}

export const Claimed = ({ state, onTransfer }: ClaimedProps) => {
  const { status, rules } = useControllerData();
  const device = status.value;
  return (
    <>
      {state.anew === null ? null : (
        <p class="card panel wrong" role="alert">
          {claimMessages.notTransferred(state.anew.message ?? '')}
        </p>
      )}
      <section class="card panel" aria-labelledby="claimed">
        <div class="status-heading">
          <StatusIcon level="ok" />
          <h1 id="claimed">{claimMessages.claimedHeading}</h1>
        </div>
        <p>{claimMessages.claimed}</p>
        <Facts
          facts={[
            [claimMessages.device, device?.device_name ?? state.device_id ?? ''],
            [overviewMessages.site, device?.site_name ?? state.site_id ?? ''],
            [overviewMessages.gadgets, device?.gadgets.map(({ name }) => name).join(', ') || overviewMessages.noData],
            [claimMessages.rules, String(rules.value?.input_rules.length ?? 0)],
            [overviewMessages.bridge, state.bridge_url ?? ''],
          ]}
        />
        <p>
          <a class="button primary" href={screenUrl('rules')}>
            {claimMessages.continueWithRules}
          </a>
        </p>
      </section>
      <details class="card explanation">
        <summary>
          <h2>{claimMessages.transferHeading}</h2>
        </summary>
        <p>{claimMessages.transfer}</p>
        <p>
          <Button onPress={onTransfer}>{claimMessages.claimAgain}</Button>
        </p>
      </details>
    </>
  );
};
