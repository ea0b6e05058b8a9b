import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { useEffect, useState } from 'preact/hooks';
import { Press, Segments } from '../../design/controls.tsx';
import { brought } from '../coming-in/brought.ts';
import { broughtByText } from '../coming-in/fragment.ts';
import { LabelCodeField } from '../coming-in/label-code-field.tsx';
import { ScannedField } from '../coming-in/scanned-field.tsx';
import { isWholeSetupCode } from '../coming-in/setup-code.ts';
import { Dialog } from '../frame/dialog.tsx';
import { Form } from '../frame/form.tsx';
import { useKeptText } from '../frame/use-kept-text.ts';
import { useOrder } from '../frame/use-order.ts';
import { isRefusedWith } from '../link/answer.ts';
import { useStore } from '../link/store.ts';
import { momentWords } from '../words/times.ts';
import * as claimWords from '../words/english/claim-words.ts';
import * as frameWords from '../words/english/frame-words.ts';
import { addressOf } from './bridge-address.ts';
import { BridgeFields } from './bridge-fields.tsx';
import { GivenNames } from './given-names.tsx';
import { glanceAtTicket, type TicketGlance } from './ticket-glance.ts';

type Way = 'ticket' | 'code';

const TicketFacts = ({ glance }: { readonly glance: TicketGlance }) => (
  <ul class="ticket">
    <li>
      <strong>{glance.device_id === null ? claimWords.ticketNew : claimWords.ticketReplaces}</strong>
    </li>
    <li>{claimWords.ticketOf(glance.bridge_url)}</li>
    <li>{claimWords.ticketUntil(momentWords(glance.expires_at))}</li>
  </ul>
);

const problemOf = (glance: TicketGlance | null): string | null => {
  if (glance === null) return claimWords.ticketUnreadable;
  return glance.expires_at < Date.now() ? claimWords.ticketOld : null;
};

interface ClaimFormProps {
  readonly state: TechnicianClaimState;
  /** The controller is somebody's already. */
  readonly isAnew: boolean;
  readonly claimed: (state: TechnicianClaimState) => void;
  readonly back: (() => void) | null;
}

export const ClaimForm = ({ state, isAnew, claimed, back }: ClaimFormProps) => {
  const usual = state.gadgets as readonly GadgetCreate[];
  const carried = useStore(brought).ticket;
  const [way, setWay] = useState<Way>('ticket');
  const [ticket, setTicket] = useState(carried ?? '');
  const [code, setCode] = useState('');
  const [bridge, setBridge] = useKeptText('bridge', '');
  const [authority, setAuthority] = useKeptText('authority', '');
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useKeptText('name', '');
  const [gadgets, setGadgets] = useState<readonly string[]>(usual.map(gadget => gadget.name));
  const { order, isBusy } = useOrder();
  useEffect(() => {
    if (carried !== null) setTicket(carried);
  }, [carried]);
  const plain = broughtByText(ticket, 'ticket').ticket ?? ticket.trim();
  const glance = glanceAtTicket(plain);
  const replaces = way === 'ticket' && glance?.device_id != null;
  const address = addressOf(bridge);
  const isReady = way === 'ticket' ? plain !== '' : isWholeSetupCode(code) && address !== null;
  const claim = async (): Promise<void> => {
    const new_device = replaces
      ? {}
      : {
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          gadgets: usual.map((gadget, index) => ({ ...gadget, name: gadgets[index]?.trim() || gadget.name })),
        };
    const ca_fingerprint = authority.trim() === '' ? {} : { ca_fingerprint: authority.trim() };
    const key = way === 'ticket' ? { ticket: plain } : { code, bridge_url: address ?? '', ...ca_fingerprint };
    const body = { ...key, ...new_device, ...(isAnew ? { replace: true } : {}) };
    const answer = await order<TechnicianClaimState>({ method: 'POST', path: '/claim', body }, failed =>
      !failed.ok && isRefusedWith(failed.failure, 409, 'already_claimed') ? claimWords.anewNeedsCode : null,
    );
    if (answer === null) return;
    brought.set({ ...brought.value, ticket: null });
    claimed(answer);
  };
  return (
    <>
      <Form
        isOff={!isReady || isBusy}
        send={() => (isAnew ? setAsking(true) : void claim())}
        words={isBusy ? claimWords.claiming : claimWords.claim}
      >
        <Segments
          name="claim-way"
          legend={claimWords.wayLegend}
          chosen={way}
          options={[
            { value: 'ticket', label: claimWords.byTicket },
            { value: 'code', label: claimWords.byCode },
          ]}
          choose={setWay}
        />
        {way === 'ticket' ? (
          <>
            <ScannedField
              id="ticket"
              label={claimWords.ticket}
              hint={claimWords.ticketHint}
              error={plain === '' ? null : problemOf(glance)}
              value={ticket}
              type={setTicket}
            />
            {glance === null ? null : <TicketFacts glance={glance} />}
          </>
        ) : (
          <>
            <LabelCodeField
              id="claim-code"
              label={claimWords.code}
              hint={claimWords.codeHint}
              code={code}
              type={setCode}
            />
            <BridgeFields {...{ bridge, setBridge, authority, setAuthority }} />
          </>
        )}
        {replaces ? null : <GivenNames {...{ name, setName, usual, gadgets, setGadgets }} />}
      </Form>
      {back === null ? null : <Press press={back}>{frameWords.cancel}</Press>}
      {isAsking ? (
        <Dialog label={claimWords.anewSure} close={() => setAsking(false)}>
          <h2>{claimWords.anewSure}</h2>
          <p>{claimWords.anewLoses}</p>
          <Press
            look="primary"
            press={() => {
              setAsking(false);
              void claim();
            }}
          >
            {claimWords.anewStart}
          </Press>
          <Press press={() => setAsking(false)}>{frameWords.cancel}</Press>
        </Dialog>
      ) : null}
    </>
  );
};
