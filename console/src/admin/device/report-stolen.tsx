import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { AffectedMember, StolenControllerResponse } from '@lintel/wire-protocol/admin/stolen-controller';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useInstallation, useReloadObjects } from '../api/resource-hooks.ts';
import { SaveError } from '../components/save-error.tsx';
import { useMessages } from '../messages/language.ts';
import { DialogButtons } from '../components/dialog-buttons.tsx';

const REPORT_TIMEOUT_MS = 300_000;

const useRequest = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    await work().catch((problem: unknown) => setError(problem as Error));
    setBusy(false);
  };
  return { isBusy, error, submit };
};

const cardName = ({ name, printed_code, uid }: AffectedMember['cards'][number]): string => name || printed_code || uid;

const formatList = (members: readonly AffectedMember[], card: (name: string) => string): string =>
  members
    .map(({ name, email, pins, cards }) =>
      [
        name,
        email?.email ?? '',
        ...pins.flatMap(({ pin }) => pin ?? []),
        ...cards.map(one => card(cardName(one))),
      ].join('\t'),
    )
    .join('\n');

const AffectedMembers = ({ members }: { readonly members: readonly AffectedMember[] }) => {
  const { device: texts } = useMessages();
  return (
    <ul class="entry-list affected-members">
      {members.map(({ member_id, name, email, pins, cards }) => (
        <li key={member_id}>
          <span>
            {name}
            {email === null ? null : <small class="quiet"> {email.email}</small>}
          </span>
          <span>
            {pins.map(({ id, pin, length }) => (
              <code key={id}>{pin ?? texts.pinOf(length)} </code>
            ))}
            {cards.map(card => (
              <small key={card.id}>{texts.exchangeCard(cardName(card))} </small>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
};

/** Sends the new PINs to the members with an address. */
const SendButton = ({ members }: { readonly members: readonly AffectedMember[] }) => {
  const { device: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const { isBusy, error, submit } = useRequest();
  const { data: installation } = useInstallation();
  const [sent, setSent] = useState(0);
  const receivers = members.filter(({ email, pins }) => email !== null && pins.some(({ new_id }) => new_id !== null));
  if (installation?.sends_email !== true || receivers.length === 0) return null;
  const send = async (): Promise<void> => {
    for (const { member_id, email, pins } of receivers.slice(sent)) {
      const member_pin_ids = pins.flatMap(({ new_id }) => new_id ?? []);
      await client.post(`/members/${member_id}/emails/${email!.id}/send`, { member_pin_ids });
      setSent(before => before + 1);
    }
  };
  return (
    <>
      <Button variant="primary" isDisabled={isBusy || sent === receivers.length} onPress={() => void submit(send)}>
        {sent === 0 ? texts.sendPins(receivers.length) : texts.sentPins(sent, receivers.length)}
      </Button>
      <SaveError error={error} />
    </>
  );
};

interface ReportStolenProps {
  readonly device: DeviceResponse;
  readonly onClose: () => void;
}

/** What happens, whom it concerns, and the new PINs. */
export const ReportStolenDialog = ({ device, onClose }: ReportStolenProps) => {
  const { device: texts, general } = useMessages();
  const { client } = useCurrentOrganization();
  const reloadDevices = useReloadObjects('device');
  const { isBusy, error, submit } = useRequest();
  const [report, setReport] = useState<StolenControllerResponse | null>(null);
  const [isCopied, setCopied] = useState(false);
  const path = `/devices/${device.id}/report_stolen`;
  useEffect(() => {
    void submit(async () => setReport(await client.post(path, { dry_run: true })));
  }, [path]);
  const replace = async (): Promise<void> => {
    setReport(await client.post<StolenControllerResponse>(path, {}, REPORT_TIMEOUT_MS));
    await reloadDevices();
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(formatList(report?.members ?? [], texts.exchangeCard));
    setCopied(true);
  };
  const title = report?.dry_run === false ? texts.stolenDoneTitle(device.name) : texts.stolenTitle(device.name);
  return (
    <Dialog label={title} onClose={report?.dry_run === false ? null : onClose}>
      <div class="stolen-report">
        <h2>{title}</h2>
        {report?.dry_run === false ? <p>{texts.stolenDone}</p> : <p>{texts.stolenText}</p>}
        {report === null ? null : (
          <>
            <p>{texts.stolenCounts(report.members.length, report.pin_count, report.card_count)}</p>
            <AffectedMembers members={report.members} />
          </>
        )}
      </div>
      <SaveError error={error} />
      {report?.dry_run === false ? (
        <DialogButtons label="close" onClose={onClose}>
          <SendButton members={report.members} />
          <Button onPress={() => void copy()}>{isCopied ? general.copied : general.copy}</Button>
          <Button onPress={() => window.print()}>{texts.printList}</Button>
        </DialogButtons>
      ) : (
        <DialogButtons label="cancel" onClose={onClose}>
          <Button variant="danger" isDisabled={isBusy || report === null} onPress={() => void submit(replace)}>
            {texts.stolenConfirm}
          </Button>
        </DialogButtons>
      )}
    </Dialog>
  );
};
