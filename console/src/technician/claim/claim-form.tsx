import * as claimMessages from '../messages/english/claim.ts';
import * as shellMessages from '../messages/english/shell.ts';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import { useEffect, useState } from 'preact/hooks';
import { Button, SegmentedControl } from '../../design/controls.tsx';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import { useObservableValue } from '../api/observable-value.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { SetupOrClaimCodeField } from '../login/setup-or-claim-code-field.tsx';
import { parseScannedText, isCompleteSetupCode } from '../login/login-input.ts';
import { TicketOrPassField } from '../login/ticket-or-pass-field.tsx';
import { fragmentCredentials } from '../login/fragment-credentials.ts';
import { formatDateTime } from '../messages/format-time.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { useSessionStorageText } from '../state/use-session-storage-text.ts';
import { BridgeFields } from './bridge-fields.tsx';
import { DeviceNameFields } from './device-name-fields.tsx';
import { parseBridgeUrl, parseUnverifiedClaimTicket, type ClaimTicketContent } from './claim-input.ts';

type ClaimMethod = 'ticket' | 'code';

const TicketFacts = ({ info }: { readonly info: ClaimTicketContent }) => (
  <ul class="ticket">
    <li>
      <strong>
        {info.device_id === null ? claimMessages.ticketCreatesDeviceText : claimMessages.ticketReplacesDeviceText}
      </strong>
    </li>
    <li>{claimMessages.ticketBridgeNameText(info.bridge_url)}</li>
    <li>{claimMessages.ticketValidUntilText(formatDateTime(info.expires_at))}</li>
  </ul>
);

const ticketError = (info: ClaimTicketContent | null): string | null => {
  if (info === null) return claimMessages.ticketInvalidText;
  return info.expires_at < Date.now() ? claimMessages.ticketExpiredText : null;
};

interface ClaimFormProps {
  readonly state: TechnicianClaimStateResponse;
  /** Whether the controller is claimed already. */
  readonly isTransfer: boolean;
  readonly onClaim: (state: TechnicianClaimStateResponse) => void;
  readonly onCancel: (() => void) | null;
}

export const ClaimForm = ({ state, isTransfer, onClaim, onCancel }: ClaimFormProps) => {
  const defaults = state.gadgets as readonly CreateGadgetRequest[];
  const urlTicket = useObservableValue(fragmentCredentials).ticket;
  const [method, setMethod] = useState<ClaimMethod>('ticket');
  const [ticketText, setTicketText] = useState(urlTicket ?? '');
  const [code, setCode] = useState('');
  const [bridge, setBridge] = useSessionStorageText('bridge');
  const [authority, setAuthority] = useSessionStorageText('authority');
  const [isConfirming, setConfirming] = useState(false);
  const [name, setName] = useSessionStorageText('name');
  const [gadgets, setGadgets] = useState<readonly string[]>(defaults.map(gadget => gadget.name));
  const { run, isBusy } = useApiAction();
  useEffect(() => {
    if (urlTicket !== null) setTicketText(urlTicket);
  }, [urlTicket]);
  const ticket = parseScannedText(ticketText, 'ticket').ticket ?? ticketText.trim();
  const info = parseUnverifiedClaimTicket(ticket);
  const isReplacement = method === 'ticket' && info?.device_id != null;
  const bridgeUrl = parseBridgeUrl(bridge);
  const isReady = method === 'ticket' ? ticket !== '' : isCompleteSetupCode(code) && bridgeUrl !== null;
  const claim = async (): Promise<void> => {
    const newDevice = isReplacement
      ? {}
      : {
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          gadgets: defaults.map((gadget, index) => ({ ...gadget, name: gadgets[index]?.trim() || gadget.name })),
        };
    const ca_fingerprint = authority.trim() === '' ? {} : { ca_fingerprint: authority.trim() };
    const credential = method === 'ticket' ? { ticket } : { code, bridge_url: bridgeUrl ?? '', ...ca_fingerprint };
    const body = { ...credential, ...newDevice, ...(isTransfer ? { replace: true } : {}) };
    const result = await run<TechnicianClaimStateResponse>({ method: 'POST', path: '/claim', body }, error =>
      isTechnicianApiRejectionWith(error, 409, 'already_claimed') ? claimMessages.transferNeedsSetupCodeText : null,
    );
    if (result === null) return;
    fragmentCredentials.set({ ...fragmentCredentials.value, ticket: null });
    onClaim(result);
  };
  return (
    <>
      <Form
        isDisabled={!isReady || isBusy}
        onSubmit={() => (isTransfer ? setConfirming(true) : void claim())}
        submitLabel={isBusy ? claimMessages.claimInProgressText : claimMessages.claimButton}
      >
        <SegmentedControl
          name="claim-method"
          legend={claimMessages.claimMethodLegend}
          value={method}
          options={[
            { value: 'ticket', label: claimMessages.claimTicketMethodLabel },
            { value: 'code', label: claimMessages.claimCodeMethodLabel },
          ]}
          onChange={setMethod}
        />
        {method === 'ticket' ? (
          <>
            <TicketOrPassField
              id="ticket"
              label={claimMessages.claimTicketLabel}
              hint={claimMessages.claimTicketHint}
              error={ticket === '' ? null : ticketError(info)}
              value={ticketText}
              onInput={setTicketText}
            />
            {info === null ? null : <TicketFacts info={info} />}
          </>
        ) : (
          <>
            <SetupOrClaimCodeField
              id="claim-code"
              label={claimMessages.claimCodeLabel}
              hint={claimMessages.claimCodeHint}
              code={code}
              onInput={setCode}
            />
            <BridgeFields {...{ bridge, setBridge, authority, setAuthority }} />
          </>
        )}
        {isReplacement ? null : <DeviceNameFields {...{ name, setName, defaults, gadgets, setGadgets }} />}
      </Form>
      {onCancel === null ? null : <Button onPress={onCancel}>{shellMessages.cancelButton}</Button>}
      {isConfirming ? (
        <Dialog label={claimMessages.transferControllerQuestion} onClose={() => setConfirming(false)}>
          <h2>{claimMessages.transferControllerQuestion}</h2>
          <p>{claimMessages.transferControllerWarning}</p>
          <Button
            variant="primary"
            onPress={() => {
              setConfirming(false);
              void claim();
            }}
          >
            {claimMessages.claimAgainButton}
          </Button>
          <Button onPress={() => setConfirming(false)}>{shellMessages.cancelButton}</Button>
        </Dialog>
      ) : null}
    </>
  );
};
