import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { FormField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Button } from '../../design/controls.tsx';
import { useOrganization } from '../api/organization.ts';
import { describeError } from '../components/describe-error.ts';
import { useMessages } from '../messages/language.ts';
import { fromLocalInput, toLocalInput } from '../time/site-time.ts';
import { useSiteTime } from '../time/use-site-time.ts';
import { type MemberData, useReloadMember } from './member-data.ts';

interface EditMemberProps {
  readonly member: MemberData;
  readonly onClose: () => void;
}

/** Name, start and end; extending a stay is changing its end. */
export const EditMember = ({ member, onClose }: EditMemberProps) => {
  const messages = useMessages();
  const { stay, general } = messages;
  const { zone } = useSiteTime();
  const { client } = useOrganization();
  const reload = useReloadMember();
  const [name, setName] = useState(member.name);
  const [from, setFrom] = useState(() => toLocalInput(member.starts_at, zone));
  const [until, setUntil] = useState(() => toLocalInput(member.ends_at, zone));
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [starts_at, ends_at] = [fromLocalInput(from, zone), fromLocalInput(until, zone)];
  const isEndWrong = starts_at !== null && ends_at !== null && ends_at <= starts_at;
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.patch(`/members/${member.id}`, { name: name.trim(), starts_at, ends_at });
      await reload();
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  };
  return (
    <Dialog label={messages.member.editTitle} onClose={onClose}>
      <h2>{messages.member.editTitle}</h2>
      <Form isDisabled={isBusy || isEndWrong} onSubmit={() => void save()} submitLabel={general.save}>
        <FormField id="edit-name" label={stay.name}>
          {field => <input {...field} value={name} onInput={event => setName(event.currentTarget.value)} />}
        </FormField>
        <FormField id="edit-from" label={stay.from}>
          {field => (
            <input
              {...field}
              type="datetime-local"
              value={from}
              onInput={event => setFrom(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField
          id="edit-until"
          label={stay.until}
          hint={stay.datesHint(zone)}
          error={isEndWrong ? stay.endBeforeStart : null}
        >
          {field => (
            <input
              {...field}
              type="datetime-local"
              value={until}
              onInput={event => setUntil(event.currentTarget.value)}
            />
          )}
        </FormField>
        {error === null ? null : (
          <p class="wrong" role="alert">
            {describeError(messages, error)}
          </p>
        )}
      </Form>
      <Button onPress={onClose}>{general.cancel}</Button>
    </Dialog>
  );
};
