import type { ReadNextCardResponse } from '@lintel/wire-protocol/admin/read-next-card';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { radioWavesIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useDevices } from '../api/resource-hooks.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { useMessages } from '../messages/language.ts';

const WAIT_S = 60;
/** The bridge ends the wait; this is only for a lost connection. */
const TIMEOUT_MS = (WAIT_S + 15) * 1000;

/** Seconds until the reader stops waiting. */
const Countdown = ({ text }: { readonly text: (seconds: number) => string }) => {
  const [left, setLeft] = useState(WAIT_S);
  useEffect(() => {
    const timer = setInterval(() => setLeft(seconds => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="quiet small" role="timer">
      {text(left)}
    </p>
  );
};

/** Reads the UID of a card that a person holds at a door. The card opens nothing. */
export const ReadCardUidField = ({ onCard }: { readonly onCard: (uid: string) => void }) => {
  const messages = useMessages();
  const { cards: texts } = messages;
  const { client } = useCurrentOrganization();
  const { data: devices = [] } = useDevices();
  const readers = devices.filter(({ capabilities, hardware_id }) => capabilities.nfc && hardware_id !== null);
  const [deviceId, setDeviceId] = useState('');
  const [isWaiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Counts the reads. The result of a canceled read is ignored, also if the controller could not be told.
  const current = useRef(0);
  const device = readers.find(({ id }) => id === deviceId) ?? readers[0];
  const read = async (id: string): Promise<void> => {
    const number = ++current.current;
    const isCurrent = (): boolean => current.current === number;
    setWaiting(true);
    setProblem(null);
    try {
      const { outcome, uid } = await client.post<ReadNextCardResponse>(`/devices/${id}/enroll_card`, {}, TIMEOUT_MS);
      if (!isCurrent()) return;
      if (uid === null) setProblem(texts.outcomes[outcome] ?? texts.outcomes['no_card'] ?? outcome);
      else onCard(uid);
    } catch (error) {
      if (isCurrent()) setProblem(describeAdminError(messages, error as Error));
    } finally {
      if (isCurrent()) setWaiting(false);
    }
  };
  const cancel = async (id: string): Promise<void> => {
    current.current++;
    setWaiting(false);
    try {
      await client.delete(`/devices/${id}/enroll_card`);
    } catch (error) {
      setProblem(describeAdminError(messages, error as Error));
    }
  };
  if (device === undefined) return <p class="quiet">{texts.noReader}</p>;
  return (
    <div class="card-tap">
      <FormField id="card-reader" label={texts.reader}>
        {field => (
          <select
            {...field}
            value={device.id}
            disabled={isWaiting}
            onChange={event => setDeviceId(event.currentTarget.value)}
          >
            {readers.map(({ id, name, status }) => (
              <option key={id} value={id}>
                {status.online ? name : texts.offlineReader(name)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {isWaiting ? (
        <div class="card-prompt" role="status">
          {texts.holdCard(device.name)}
          <Countdown text={texts.secondsLeft} />
          <Button onPress={() => void cancel(device.id)}>{texts.stopReading}</Button>
        </div>
      ) : (
        <Button icon={radioWavesIcon} onPress={() => void read(device.id)}>
          {texts.startReading}
        </Button>
      )}
      {problem === null ? null : (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};
