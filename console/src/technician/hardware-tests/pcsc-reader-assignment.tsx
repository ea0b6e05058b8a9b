import type {
  AssignablePcscReadersResponse,
  PcscReaderAssignmentResponse,
} from '@lintel/wire-protocol/technician/pcsc-reader-assignment';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { StatusIcon } from '../../components/status-icon.tsx';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import { useControllerResource } from '../api/controller-hooks.ts';
import { useNotify } from '../state/notice-context.ts';
import { CARD_REQUEST_TIMEOUT_MS, PresentCardPrompt } from '../components/present-card-prompt.tsx';
import * as credentialTestMessages from '../messages/english/credential-test.ts';
import * as assignmentMessages from '../messages/english/reader-assignment.ts';
import { useApiAction } from '../state/use-api-action.ts';

type AssignableReader = AssignablePcscReadersResponse['data'][number];

const describeResult = (reader: string, { outcome, usb_path, released }: PcscReaderAssignmentResponse): string => {
  if (outcome === 'unknown_place') return assignmentMessages.unknownPlaceText;
  if (outcome !== 'assigned' || usb_path === null) return credentialTestMessages.noCardPresentedText;
  const assigned = assignmentMessages.readerAssignedText(reader, usb_path);
  return released === null ? assigned : `${assigned} ${assignmentMessages.readerUnassignedText(released)}`;
};

/** Assigns equal PC/SC readers to the readers of the profile. Hidden if the profile has no such readers. */
export const PcscReaderAssignmentPanel = () => {
  const readers = useControllerResource<AssignablePcscReadersResponse>('/pcsc_readers');
  const { run } = useApiAction();
  const notify = useNotify();
  const [waitingFor, setWaitingFor] = useState<string | null>(null);
  if (readers.value === null || readers.value.data.length === 0) return null;
  const assign = async ({ reader }: AssignableReader): Promise<void> => {
    setWaitingFor(reader);
    const path = `/pcsc_readers/${encodeURIComponent(reader)}/assign`;
    const result = await run<PcscReaderAssignmentResponse>(
      { method: 'POST', path, body: {}, timeoutMs: CARD_REQUEST_TIMEOUT_MS },
      error => {
        if (isTechnicianApiRejectionWith(error, 409, 'busy')) return credentialTestMessages.readerInUseText;
        return isTechnicianApiRejectionWith(error, 409, 'no_pcsc_service')
          ? assignmentMessages.noPcscServiceText
          : null;
      },
    );
    setWaitingFor(null);
    if (result !== null) notify(describeResult(reader, result), result.outcome !== 'assigned');
    await readers.reload();
  };
  return (
    <section class="card panel" aria-label={assignmentMessages.readerAssignmentHeading}>
      <h2>{assignmentMessages.readerAssignmentHeading}</h2>
      <p class="quiet">{assignmentMessages.readerAssignmentHint}</p>
      <ul class="checks">
        {readers.value.data.map(entry => {
          const title = entry.station ?? entry.reader;
          return (
            <li key={entry.reader} class="check">
              <StatusIcon level={entry.usb_path === null ? 'warning' : 'ok'} />
              <div>
                <p>
                  <strong>{title}</strong>{' '}
                  <span class="quiet">
                    {entry.usb_path === null
                      ? assignmentMessages.notAssignedText
                      : assignmentMessages.usbPortText(entry.usb_path)}
                  </span>
                </p>
                <Button
                  icon={icons.cardIcon}
                  isDisabled={waitingFor !== null}
                  label={`${title}: ${assignmentMessages.assignReaderButton}`}
                  onPress={() => void assign(entry)}
                >
                  {assignmentMessages.assignReaderButton}
                </Button>
                {waitingFor === entry.reader ? (
                  <PresentCardPrompt format={assignmentMessages.holdCardAtReaderPrompt(title)} />
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
