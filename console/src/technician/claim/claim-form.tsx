import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { useEffect, useState } from 'preact/hooks';
import { Press, Segments } from '../../design/controls.tsx';
import { brought } from '../coming-in/brought.ts';
import { broughtByText } from '../coming-in/fragment.ts';
import { ScanButton } from '../coming-in/scanner.tsx';
import { isWholeSetupCode, shownSetupCode } from '../coming-in/setup-code.ts';
import { Dialog } from '../frame/dialog.tsx';
import { Field } from '../frame/field.tsx';
import { Form } from '../frame/form.tsx';
import { useKeptText } from '../frame/use-kept-text.ts';
import { useOrder } from '../frame/use-order.ts';
import { isRefusedWith } from '../link/answer.ts';
import { useStore } from '../link/store.ts';
import { momentWords } from '../words/times.ts';
import * as claimWords from '../words/english/claim-words.ts';
import * as frameWords from '../words/english/frame-words.ts';
import { addressOf } from './bridge-address.ts';
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

interface NamesProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  /** As the profile has them. */
  readonly usual: readonly GadgetCreate[];
  readonly gadgets: readonly string[];
  readonly setGadgets: (gadgets: readonly string[]) => void;
}

const Names = ({ name, setName, usual, gadgets, setGadgets }: NamesProps) => (
  <>
    <Field id="device-name" label={claimWords.name}>
      {described => (
        <input
          {...described}
          value={name}
          maxlength={100}
          autocomplete="off"
          placeholder={claimWords.namePlaceholder}
          onInput={event => setName(event.currentTarget.value)}
        />
      )}
    </Field>
    {gadgets.length === 0 ? null : (
      <fieldset class="form">
        <legend>{claimWords.gadgets}</legend>
        {gadgets.map((gadget, index) => (
          <Field key={index} id={`gadget-name-${index}`} label={`${index + 1}. ${usual[index]?.name ?? ''}`}>
            {described => (
              <input
                {...described}
                value={gadget}
                maxlength={100}
                autocomplete="off"
                onInput={event => setGadgets(gadgets.with(index, event.currentTarget.value))}
              />
            )}
          </Field>
        ))}
      </fieldset>
    )}
  </>
);

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
            <Field
              id="ticket"
              label={claimWords.ticket}
              hint={claimWords.ticketHint}
              error={
                plain === '' || glance !== null
                  ? glance !== null && glance.expires_at < Date.now()
                    ? claimWords.ticketOld
                    : null
                  : claimWords.ticketUnreadable
              }
            >
              {described => (
                <textarea
                  {...described}
                  rows={3}
                  value={ticket}
                  autocomplete="off"
                  autocapitalize="none"
                  spellcheck={false}
                  onInput={event => setTicket(event.currentTarget.value)}
                />
              )}
            </Field>
            <ScanButton found={setTicket} />
            {glance === null ? null : <TicketFacts glance={glance} />}
          </>
        ) : (
          <>
            <Field id="claim-code" label={claimWords.code} hint={claimWords.codeHint}>
              {described => (
                <input
                  {...described}
                  class="big-code"
                  value={code}
                  autocomplete="off"
                  autocapitalize="characters"
                  spellcheck={false}
                  placeholder="7K3M-0QXW-PT5H"
                  onInput={event => setCode(shownSetupCode(event.currentTarget.value))}
                />
              )}
            </Field>
            <Field
              id="bridge"
              label={claimWords.bridge}
              hint={claimWords.bridgeHint}
              error={bridge === '' || address !== null ? null : claimWords.notAddress}
            >
              {described => (
                <input
                  {...described}
                  type="url"
                  inputmode="url"
                  value={bridge}
                  autocomplete="off"
                  autocapitalize="none"
                  onInput={event => setBridge(event.currentTarget.value)}
                />
              )}
            </Field>
            <details class="small" open={authority !== ''}>
              <summary>{claimWords.ownCertificate}</summary>
              <Field id="authority" label={claimWords.authority} hint="SHA-256, 13:F0:…">
                {described => (
                  <input
                    {...described}
                    value={authority}
                    autocomplete="off"
                    spellcheck={false}
                    onInput={event => setAuthority(event.currentTarget.value)}
                  />
                )}
              </Field>
            </details>
          </>
        )}
        {replaces ? null : <Names {...{ name, setName, usual, gadgets, setGadgets }} />}
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
