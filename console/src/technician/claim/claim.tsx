import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import { useEffect, useState } from 'preact/hooks';
import { controllerSession, useControllerResource } from '../api/controller-hooks.ts';
import * as claimMessages from '../messages/english/claim.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { ClaimForm } from './claim-form.tsx';
import { PendingClaimStatus } from './claim-pending.tsx';
import { ClaimedSummary } from './claimed-summary.tsx';
import { HardwareProfilePicker } from './hardware-profile-picker.tsx';
import { isProductUnconfigured } from './is-product-unconfigured.ts';

const POLL_MS = 2_000;

interface ClaimEntryProps {
  readonly state: TechnicianClaimStateResponse;
  readonly onClaim: (state: TechnicianClaimStateResponse) => void;
  /** Null without a previous view. */
  readonly onCancel: (() => void) | null;
}

const ClaimEntry = ({ state, onClaim, onCancel }: ClaimEntryProps) => {
  const { status } = useSharedControllerData();
  const product = status.value?.product_id;
  const isTransfer = state.state === 'claimed';
  return (
    <div class="columns">
      <section class="card panel" aria-labelledby="claim">
        <h1 id="claim">{isTransfer ? claimMessages.claimAgainButton : claimMessages.claimHeading}</h1>
        <p class="quiet">
          {isProductUnconfigured(product) ? claimMessages.chooseProfileFirstText : claimMessages.claimIntroText}
        </p>
        {state.state === 'refused' ? (
          <p class="wrong" role="alert">
            {claimMessages.claimRejectedText}: {state.message}
          </p>
        ) : null}
        {isProductUnconfigured(product) ? null : (
          <ClaimForm key={JSON.stringify(state.gadgets)} {...{ state, isTransfer, onClaim, onCancel }} />
        )}
      </section>
      <div class="column">
        {isTransfer ? null : <HardwareProfilePicker />}
        <section class="card panel" aria-labelledby="replace">
          <h2 id="replace">{claimMessages.replaceControllerHeading}</h2>
          <p class="quiet">{claimMessages.replaceControllerHint}</p>
        </section>
      </div>
    </div>
  );
};

export const ClaimScreen = () => {
  const { status, rules } = useSharedControllerData();
  const { value, setValue } = useControllerResource<TechnicianClaimStateResponse>('/claim', POLL_MS);
  const [isEntering, setEntering] = useState(false);
  const device = value?.state === 'claimed' ? value.device_id : null;
  useEffect(() => {
    if (device === null) return;
    setEntering(false);
    void status.reload();
    void rules.reload();
    void controllerSession.loadHello();
  }, [device]);
  if (value === null) return <p class="quiet">{shellMessages.loadingInProgressText}</p>;
  const pending = value.state === 'waiting' ? value : value.new_claim?.state === 'waiting' ? value.new_claim : null;
  if (!isEntering && pending !== null)
    return <PendingClaimStatus state={pending} onUseOther={() => setEntering(true)} />;
  if (!isEntering && device !== null) return <ClaimedSummary state={value} onTransfer={() => setEntering(true)} />;
  return (
    <ClaimEntry
      state={value}
      onClaim={state => {
        setEntering(false);
        setValue(state);
      }}
      onCancel={isEntering ? () => setEntering(false) : null}
    />
  );
};
