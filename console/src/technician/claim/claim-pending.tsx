import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { Button } from '../../design/controls.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import * as claimMessages from '../messages/english/claim.ts';
import { formatDateTime } from '../messages/format-time.ts';

interface ClaimPendingProps {
  readonly state: Pick<TechnicianClaimState, 'bridge_url' | 'message' | 'expires_at'>;
  readonly onUseOther: () => void;
}

export const ClaimPending = ({ state, onUseOther }: ClaimPendingProps) => (
  <section class="card panel" aria-labelledby="pending">
    <h1 id="pending">{claimMessages.pendingHeading}</h1>
    <p>{claimMessages.pending}</p>
    <ol class="checks" aria-live="polite">
      <li class="check">
        <StatusIcon level="ok" />
        <p>{claimMessages.steps.saved}</p>
      </li>
      <li class="check">
        <StatusIcon level="warning" />
        <div>
          <p>{claimMessages.steps.connection}</p>
          <p class="quiet small">{state.bridge_url}</p>
          {state.message === null ? null : <p class="quiet small">{claimMessages.lastAttempt(state.message)}</p>}
        </div>
      </li>
      <li class="check">
        <StatusIcon level="neutral" />
        <p>{claimMessages.steps.registered}</p>
      </li>
    </ol>
    {state.expires_at === null ? null : (
      <p class="quiet">{claimMessages.validUntil(formatDateTime(state.expires_at))}</p>
    )}
    <Button onPress={onUseOther}>{claimMessages.useOther}</Button>
  </section>
);
