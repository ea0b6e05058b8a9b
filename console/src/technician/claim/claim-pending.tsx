import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import { Button } from '../../design/controls.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import * as claimMessages from '../messages/english/claim.ts';
import { formatDateTime } from '../messages/format-time.ts';

interface ClaimPendingProps {
  readonly state: Pick<TechnicianClaimStateResponse, 'bridge_url' | 'message' | 'expires_at'>;
  readonly onUseOther: () => void;
}

export const PendingClaimStatus = ({ state, onUseOther }: ClaimPendingProps) => (
  <section class="card panel" aria-labelledby="pending">
    <h1 id="pending">{claimMessages.pendingClaimHeading}</h1>
    <p>{claimMessages.pendingClaimHint}</p>
    <ol class="checks" aria-live="polite">
      <li class="check">
        <StatusIcon level="ok" />
        <p>{claimMessages.pendingClaimStepTexts.saved}</p>
      </li>
      <li class="check">
        <StatusIcon level="warning" />
        <div>
          <p>{claimMessages.pendingClaimStepTexts.connection}</p>
          <p class="quiet small">{state.bridge_url}</p>
          {state.message === null ? null : (
            <p class="quiet small">{claimMessages.lastAttemptErrorText(state.message)}</p>
          )}
        </div>
      </li>
      <li class="check">
        <StatusIcon level="neutral" />
        <p>{claimMessages.pendingClaimStepTexts.registered}</p>
      </li>
    </ol>
    {state.expires_at === null ? null : (
      <p class="quiet">{claimMessages.ticketValidUntilText(formatDateTime(state.expires_at))}</p>
    )}
    <Button onPress={onUseOther}>{claimMessages.changeClaimCredentialButton}</Button>
  </section>
);
