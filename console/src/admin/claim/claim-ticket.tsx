import type { ClaimTicketCreatedResponse } from '@lintel/wire-protocol/admin/claim-ticket';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { isLoopbackUrl } from '../../components/loopback-url.ts';
import { QrCode } from '../../components/qr-code.tsx';
import { useNewEvents } from '../api/live-events.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

interface ClaimTicketProps {
  readonly siteId: string;
  /** The device whose hardware is replaced; null for a new device. */
  readonly deviceId: string | null;
  /** Called when a controller has redeemed the ticket. */
  readonly onClaimed: (deviceId: string) => void;
}

/** Issues a ticket and shows it until a controller has claimed. */
export const ClaimTicketPanel = ({ siteId, deviceId, onClaimed }: ClaimTicketProps) => {
  const { claim: texts } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const time = useSiteTimeFormats(siteId);
  const [ticket, setTicket] = useState<ClaimTicketCreatedResponse | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setError(null);
    client.post<ClaimTicketCreatedResponse>('/claim_tickets', { site_id: siteId, device_id: deviceId }).then(
      issued => setTicket(issued),
      (problem: Error) => setError(problem),
    );
  }, [siteId, deviceId, attempt]);
  useNewEvents(
    useCallback(
      ({ verb, object }: EventResponse) => {
        const isOurs = object.type === 'claim_ticket' && object.claim_ticket_id === ticket?.id;
        if (isOurs && verb === 'use' && object.device_id != null) onClaimed(object.device_id);
      },
      [ticket],
    ),
  );
  if (error !== null) return <ErrorNotice error={error} onRetry={() => setAttempt(attempt + 1)} />;
  if (ticket === null) return <LoadingIndicator />;
  const isUnreachable = isLoopbackUrl(ticket.bridge_url);
  return (
    <div class="claim-ticket">
      {isUnreachable ? (
        <p class="wrong" role="alert">
          {texts.unreachable(ticket.bridge_url)} <code>lintel bridge --lan</code>
        </p>
      ) : null}
      <div class="claim-ways">
        <div>
          <p>{texts.codeLabel}</p>
          <output class="claim-code" aria-label={texts.codeLabel}>
            {ticket.code}
          </output>
          <p class="quiet small">{texts.bridge(ticket.bridge_url)}</p>
          {ticket.ca_fingerprint === null || isUnreachable ? null : (
            <p class="quiet small">
              {texts.fingerprint} <code class="fingerprint">{ticket.ca_fingerprint}</code>
            </p>
          )}
        </div>
        <div>
          <p>{texts.scan}</p>
          <QrCode text={ticket.ticket} label={texts.qrLabel} />
        </div>
      </div>
      <p class="quiet small">{texts.validUntil(time.formatShort(ticket.expires_at))}</p>
      <p role="status">{allows('events.read') ? texts.waiting : texts.appearsInList}</p>
    </div>
  );
};
