import { toPinDigits } from '@lintel/access-core/pin-digits';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { TextField } from '../components/form-fields.tsx';
import { useMessages } from '../messages/language.ts';
import { createFirstMemberWithAccess, type FirstMember } from './create-virtual-door-and-first-member.ts';
import { useSaveFirstStep } from './use-save-first-step.ts';

export const FirstMemberStep = ({ onCreated }: { readonly onCreated: (member: FirstMember) => void }) => {
  const { start } = useMessages();
  const { client } = useCurrentOrganization();
  const { isBusy, save } = useSaveFirstStep();
  const [name, setName] = useState('');
  const [pin, setPin] = useState('');
  const isPinWrong = pin !== '' && toPinDigits(pin) === null;
  const submit = () =>
    save(async () => onCreated(await createFirstMemberWithAccess(client, start.allDoors, { name: name.trim(), pin })));
  return (
    <section class="card panel">
      <h2>{start.memberTitle}</h2>
      <p class="quiet">{start.memberText}</p>
      <Form
        isDisabled={isBusy || name.trim() === '' || isPinWrong}
        onSubmit={() => void submit()}
        submitLabel={isBusy ? start.saving : start.next}
      >
        <TextField id="member-name" label={start.memberName} value={name} maxLength={200} onChange={setName} />
        <FormField id="member-pin" label={start.pin} hint={start.pinHint} error={isPinWrong ? start.pinWrong : null}>
          {field => (
            <input
              {...field}
              class="big-code"
              value={pin}
              inputMode="numeric"
              maxLength={20}
              autocomplete="off"
              onInput={event => setPin(event.currentTarget.value)}
            />
          )}
        </FormField>
      </Form>
    </section>
  );
};
