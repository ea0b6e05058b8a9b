import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { HardwareProfilePicker } from './hardware-profile-picker.tsx';
import * as claimMessages from '../messages/english/claim.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import { buildTechnicianScreenUrl } from '../shell/screen-ids-and-urls.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';

interface ClaimedProps {
  readonly state: TechnicianClaimStateResponse;
  readonly onTransfer: () => void;
}

export const ClaimedSummary = ({ state, onTransfer }: ClaimedProps) => {
  const { status, rules } = useSharedControllerData();
  const device = status.value;
  const [isShowingProfiles, setShowingProfiles] = useState(false);
  return (
    <>
      {state.new_claim === null ? null : (
        <p class="card panel wrong" role="alert">
          {claimMessages.transferControllerFailedText(state.new_claim.message ?? '')}
        </p>
      )}
      <section class="card panel" aria-labelledby="claimed">
        <div class="status-heading">
          <StatusIcon level={state.confirmation === null ? 'ok' : 'warning'} />
          <h1 id="claimed">{claimMessages.claimedHeading}</h1>
        </div>
        <p>{claimMessages.claimedHint}</p>
        {state.confirmation === null ? null : (
          <div role="status">
            <p>{claimMessages.waitsForConfirmationText}</p>
            <p class="quiet small">{claimMessages.keyFingerprintLabel}</p>
            <p>
              <code class="fingerprint">{state.confirmation.fingerprint}</code>
            </p>
          </div>
        )}
        <LabeledValueList
          facts={[
            [claimMessages.deviceLabel, device?.device_name ?? state.device_id ?? ''],
            [overviewMessages.siteLabel, device?.site_name ?? state.site_id ?? ''],
            [
              overviewMessages.gadgetsHeading,
              device?.gadgets.map(({ name }) => name).join(', ') || overviewMessages.noAccessDataYetText,
            ],
            [claimMessages.inputRulesLabel, String(rules.value?.input_rules.length ?? 0)],
            [overviewMessages.bridgeLabel, state.bridge_url ?? ''],
          ]}
        />
        <p>
          <a class="button primary" href={buildTechnicianScreenUrl('rules')}>
            {claimMessages.continueWithRulesButton}
          </a>
        </p>
      </section>
      <details class="card explanation" onToggle={event => setShowingProfiles(event.currentTarget.open)}>
        <summary>
          <h2>{claimMessages.changeHardwareHeading}</h2>
        </summary>
        <p>{claimMessages.changeHardwareHint}</p>
        {isShowingProfiles ? <HardwareProfilePicker isClaimed /> : null}
      </details>
      <details class="card explanation">
        <summary>
          <h2>{claimMessages.transferControllerHeading}</h2>
        </summary>
        <p>{claimMessages.transferControllerHint}</p>
        <p>
          <Button onPress={onTransfer}>{claimMessages.claimAgainButton}</Button>
        </p>
      </details>
    </>
  );
};
