import * as icons from '../../design/icons.ts';
import * as devicePickerMessages from '../messages/english/device-picker.ts';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { isLoopbackUrl } from '../../components/loopback-url.ts';
import { buildTechnicianPassSignInUrl } from '../pass/pass-request-urls.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { useNotify } from '../state/notice-context.ts';
import type { SiteWithControllers } from './load-organizations-with-sites.ts';

const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notify(devicePickerMessages.copiedNotice);
  };
  return (
    <div class="copyable">
      <code>{text}</code>
      <Button icon={icons.copyIcon} label={`${label}: ${devicePickerMessages.copyButton}`} onPress={() => void copy()}>
        {devicePickerMessages.copyButton}
      </Button>
    </div>
  );
};

interface Ticket {
  readonly ticket: string;
  readonly code: string;
  readonly bridge_url: string;
}

interface ClaimTicketProps {
  readonly organization: string;
  readonly site: string;
  /** The device whose hardware is replaced; null for a new one. */
  readonly device: string | null;
}

/** A new ticket, as code and text. The page of the controller takes both. */
export const SiteClaimTicketPanel = ({ organization, site, device }: ClaimTicketProps) => {
  const { run } = useApiAction();
  const [ticket, setTicket] = useState<Ticket | null>(null);
  useEffect(() => {
    const body = { site_id: site, device_id: device };
    void run<Ticket>({ method: 'POST', path: `/organizations/${organization}/claim_tickets`, body }).then(setTicket);
  }, [organization, site, device]);
  if (ticket === null) return null;
  const share = (): void => void navigator.share({ text: ticket.ticket }).catch(() => undefined);
  return (
    <div class="form" role="group" aria-label={devicePickerMessages.claimTicketHeading}>
      {isLoopbackUrl(ticket.bridge_url) ? (
        <p class="wrong" role="alert">
          {devicePickerMessages.bridgeUnreachableText(ticket.bridge_url)}
        </p>
      ) : null}
      <p class="quiet">{devicePickerMessages.claimCodeHint(ticket.bridge_url)}</p>
      <p class="big-code">{ticket.code}</p>
      <p class="quiet">{devicePickerMessages.claimTicketHint}</p>
      <CopyableText label={devicePickerMessages.claimTicketHeading} text={ticket.ticket} />
      {'share' in navigator ? <Button onPress={share}>{devicePickerMessages.shareButton}</Button> : null}
    </div>
  );
};

const LocalPages = ({ site }: { readonly site: SiteWithControllers }) => (
  <ul>
    {site.controllers.flatMap(({ device_id, name, local_address, local_url }) => {
      // The address also works where multicast DNS does not.
      const url = local_address ?? local_url;
      return url === null ? (
        []
      ) : (
        <li key={device_id}>
          <a href={buildTechnicianPassSignInUrl(url)} target="_blank" rel="noreferrer">
            {devicePickerMessages.openLocalTechnicianPageLink(name)}
          </a>
        </li>
      );
    })}
  </ul>
);

export const OfflineCredentialsPanel = ({ site }: { readonly site: SiteWithControllers }) => (
  <details>
    <summary>{devicePickerMessages.offlineAccessHeading}</summary>
    <div class="form">
      <p class="quiet">{devicePickerMessages.offlineAccessHint}</p>
      <LocalPages site={site} />
    </div>
  </details>
);
