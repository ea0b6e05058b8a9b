import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { useEffect, useState } from 'preact/hooks';
import { Press, Segments } from '../../design/controls.tsx';
import { brought } from '../coming-in/brought.ts';
import { broughtByText } from '../coming-in/fragment.ts';
import { ScanButton } from '../coming-in/scanner.tsx';
import { shownSetupCode } from '../coming-in/setup-code.ts';
import { Field } from '../frame/field.tsx';
import { useKeptText } from '../frame/use-kept-text.ts';
import { useOrder } from '../frame/use-order.ts';
import { useStore } from '../link/store.ts';
import { momentWords } from '../words/times.ts';
import * as claimWords from '../words/english/claim-words.ts';
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
  readonly gadgets: readonly string[];
  readonly setGadgets: (gadgets: readonly string[]) => void;
}

const Names = ({ name, setName, gadgets, setGadgets }: NamesProps) => (
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
          <Field key={index} id={`gadget-name-${index}`} label={claimWords.gadget(index + 1)}>
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
  readonly claimed: (state: TechnicianClaimState) => void;
}

export const ClaimForm = ({ state, claimed }: ClaimFormProps) => {
  const usual = state.gadgets as readonly GadgetCreate[];
  const carried = useStore(brought).ticket;
  const [way, setWay] = useState<Way>('ticket');
  const [ticket, setTicket] = useState(carried ?? '');
  const [code, setCode] = useState('');
  const [bridge, setBridge] = useKeptText('bridge', '');
  const [name, setName] = useKeptText('name', '');
  const [gadgets, setGadgets] = useState<readonly string[]>(usual.map(gadget => gadget.name));
  const { order, isBusy } = useOrder();
  useEffect(() => {
    if (carried !== null) setTicket(carried);
  }, [carried]);
  const plain = broughtByText(ticket, 'ticket').ticket ?? ticket.trim();
  const glance = glanceAtTicket(plain);
  const replaces = way === 'ticket' && glance?.device_id != null;
  const isReady = way === 'ticket' ? plain !== '' : code.length === 14 && bridge.trim() !== '';
  const claim = async (): Promise<void> => {
    const new_device = replaces
      ? {}
      : {
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          gadgets: usual.map((gadget, index) => ({ ...gadget, name: gadgets[index]?.trim() || gadget.name })),
        };
    const key = way === 'ticket' ? { ticket: plain } : { code, bridge_url: bridge.trim() };
    const answer = await order<TechnicianClaimState>({
      method: 'POST',
      path: '/claim',
      body: { ...key, ...new_device },
    });
    if (answer === null) return;
    brought.set({ ...brought.value, ticket: null });
    claimed(answer);
  };
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        if (isReady && !isBusy) void claim();
      }}
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
          <Field id="bridge" label={claimWords.bridge} hint={claimWords.bridgeHint}>
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
        </>
      )}
      {replaces ? null : <Names {...{ name, setName, gadgets, setGadgets }} />}
      <Press look="primary" isOff={!isReady || isBusy} press={() => void claim()}>
        {isBusy ? claimWords.claiming : claimWords.claim}
      </Press>
      <button type="submit" hidden />
    </form>
  );
};
