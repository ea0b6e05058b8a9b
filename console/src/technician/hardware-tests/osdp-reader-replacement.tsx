import type { ReplaceableReadersResponse } from '@lintel/wire-protocol/technician/reader-replacement';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { isTechnicianApiRejectionWith, type TechnicianApiError } from '../api/api-result.ts';
import { useControllerResource } from '../api/controller-hooks.ts';
import * as replacementMessages from '../messages/english/reader-replacement.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useApiAction } from '../state/use-api-action.ts';

type ReplaceableReader = ReplaceableReadersResponse['data'][number];

const POLL_MS = 2_000;

interface ReaderProps {
  readonly entry: ReplaceableReader;
  readonly isOtherWaiting: boolean;
  readonly onChange: () => Promise<void>;
}

const OsdpReader = ({ entry, isOtherWaiting, onChange }: ReaderProps) => {
  const { reader, stations, fault, replacement } = entry;
  const { run, isBusy } = useApiAction();
  /** Null until it is asked for. */
  const [key, setKey] = useState<string | null>(null);
  const title = stations.join(', ') || reader;
  const isWaiting = replacement?.state === 'waiting';
  const send = async (method: 'POST' | 'DELETE'): Promise<void> => {
    const path = `/osdp_readers/${encodeURIComponent(reader)}/replace`;
    const typed = key?.replaceAll(/[\s:-]/g, '') ?? '';
    const explain = (error: TechnicianApiError): string | null =>
      isTechnicianApiRejectionWith(error, 400) ? replacementMessages.readerKeyHint : null;
    const body = method === 'POST' ? { body: { key: typed === '' ? null : typed } } : {};
    if ((await run({ method, path, ...body }, explain)) !== null) setKey(null);
    await onChange();
  };
  const button = (label: string, isDisabled: boolean, onPress: () => unknown) => (
    <Button isDisabled={isDisabled} label={`${title}: ${label}`} onPress={() => void onPress()}>
      {label}
    </Button>
  );
  return (
    <li class="check">
      <StatusIcon level={fault === null ? 'ok' : 'error'} />
      <div>
        <strong>{title}</strong>
        <p role="status">{replacement === null ? fault : replacement.text}</p>
        {isWaiting ? (
          <p class="quiet">{shellMessages.formatCountdown(Math.ceil(replacement.remaining_ms / 1_000))}</p>
        ) : null}
        {key === null ? null : (
          <FormField
            id={`key-${reader}`}
            label={replacementMessages.readerKeyLabel}
            hint={replacementMessages.readerKeyHint}
          >
            {described => (
              <input
                {...described}
                value={key}
                autocomplete="off"
                onInput={event => setKey(event.currentTarget.value)}
              />
            )}
          </FormField>
        )}
        <div class="bar">
          {isWaiting
            ? null
            : button(replacementMessages.replaceReaderButton, isBusy || isOtherWaiting, () =>
                key === null ? setKey('') : send('POST'),
              )}
          {isWaiting || key !== null
            ? button(shellMessages.cancelButton, isBusy, () => (isWaiting ? send('DELETE') : setKey(null)))
            : null}
        </div>
      </div>
    </li>
  );
};

/** Replaces OSDP readers. Hidden if the profile has none. */
export const OsdpReaderReplacementPanel = () => {
  const { value, reload } = useControllerResource<ReplaceableReadersResponse>('/osdp_readers', POLL_MS);
  const data = value?.data ?? [];
  const waiting = data.find(({ replacement }) => replacement?.state === 'waiting');
  if (data.length === 0) return null;
  return (
    <section class="card panel" aria-label={replacementMessages.osdpReadersHeading}>
      <h2>{replacementMessages.osdpReadersHeading}</h2>
      <p class="quiet">{replacementMessages.osdpReadersHint}</p>
      <ul class="checks">
        {data.map(entry => (
          <OsdpReader key={entry.reader} entry={entry} isOtherWaiting={waiting !== undefined} onChange={reload} />
        ))}
      </ul>
    </section>
  );
};
