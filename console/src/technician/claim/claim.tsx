import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { useEffect, useState } from 'preact/hooks';
import { session, useResource } from '../api/use-session.ts';
import * as claimMessages from '../messages/english/claim.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useControllerData } from '../state/controller-data.ts';
import { ClaimForm } from './claim-form.tsx';
import { ClaimPending } from './claim-pending.tsx';
import { Claimed } from './claimed.tsx';
import { HardwareProfiles } from './hardware-profiles.tsx';
import { isUnconfigured } from './is-unconfigured.ts';

const POLL_MS = 2_000;

interface ClaimEntryProps {
  readonly state: TechnicianClaimState;
  readonly onClaim: (state: TechnicianClaimState) => void;
  /** Null without a previous view. */
  readonly onCancel: (() => void) | null;
}

const ClaimEntry = ({ state, onClaim, onCancel }: ClaimEntryProps) => {
  const { status } = useControllerData();
  const product = status.value?.product_id;
  const isTransfer = state.state === 'claimed';
  return (
    <div class="columns">
      <section class="card panel" aria-labelledby="claim">
        <h1 id="claim">{isTransfer ? claimMessages.claimAgain : claimMessages.heading}</h1>
        <p class="quiet">{isUnconfigured(product) ? claimMessages.profileFirst : claimMessages.intro}</p>
        {state.state === 'refused' ? (
          <p class="wrong" role="alert">
            {claimMessages.rejected}: {state.message}
          </p>
        ) : null}
        {isUnconfigured(product) ? null : (
          <ClaimForm key={JSON.stringify(state.gadgets)} {...{ state, isTransfer, onClaim, onCancel }} />
        )}
      </section>
      <div class="column">
        {isTransfer ? null : <HardwareProfiles />}
        <section class="card panel" aria-labelledby="replace">
          <h2 id="replace">{claimMessages.replaceHeading}</h2>
          <p class="quiet">{claimMessages.replace}</p>
        </section>
      </div>
    </div>
  );
};

export const Claim = () => {
  const { status, rules } = useControllerData();
  const { value, setValue } = useResource<TechnicianClaimState>('/claim', POLL_MS);
  const [isEntering, setEntering] = useState(false);
  const device = value?.state === 'claimed' ? value.device_id : null;
  useEffect(() => {
    if (device === null) return;
    setEntering(false);
    void status.reload();
    void rules.reload();
    void session.loadHello();
  }, [device]);
  if (value === null) return <p class="quiet">{shellMessages.loading}</p>;
  const pending = value.state === 'waiting' ? value : value.anew?.state === 'waiting' ? value.anew : null;
  if (!isEntering && pending !== null) return <ClaimPending state={pending} onUseOther={() => setEntering(true)} />;
  if (!isEntering && device !== null) return <Claimed state={value} onTransfer={() => setEntering(true)} />;
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
