import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useOrganization } from '../api/organization.ts';
import { useGadgets, useList } from '../api/resources.ts';
import { CheckList } from '../components/check-list.tsx';
import { useMessages } from '../messages/language.ts';
import { fromLocalInput, localInputAt } from '../time/site-time.ts';
import { useSiteTime } from '../time/use-site-time.ts';
import type { StayForm } from './create-stay.ts';
import { CredentialFields, type CredentialValues } from './credential-fields.tsx';
import { findSingleDoorGroup, listDoorChoices } from './door-choices.ts';

const CHECK_IN_HOUR = 15;
const CHECK_OUT_HOUR = 11;
const PIN_LENGTH = 6;

interface StayFormFieldsProps {
  readonly isBusy: boolean;
  readonly onSubmit: (form: StayForm) => void;
}

/** Groups that stand for a single door are offered as that door. */
const useChoices = () => {
  const { allows } = useOrganization();
  const { data: doors = [] } = useGadgets();
  const { data: groups = [] } = useList<MemberGroupResponse>('member_group', '/member_groups');
  const doorChoices = listDoorChoices(doors, groups, allows('member_groups.write'));
  const singleDoorGroups = new Set(doors.flatMap(({ id }) => findSingleDoorGroup(groups, id)?.id ?? []));
  return { doorChoices, groups: groups.filter(({ id }) => !singleDoorGroups.has(id)) };
};

export const StayFormFields = ({ isBusy, onSubmit }: StayFormFieldsProps) => {
  const { stay } = useMessages();
  const { zone } = useSiteTime();
  const choices = useChoices();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [from, setFrom] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);
  const [groupIds, setGroupIds] = useState<readonly string[]>([]);
  const [doorIds, setDoorIds] = useState<readonly string[]>([]);
  const [credentials, setCredentials] = useState<CredentialValues>({
    pinLength: PIN_LENGTH,
    hasMagicLink: false,
    card: '',
  });
  // The zone is known once the sites are loaded, so the defaults are computed until the user changes them.
  const fromText = from ?? localInputAt(Date.now(), zone, 0, CHECK_IN_HOUR);
  const untilText = until ?? localInputAt(Date.now(), zone, 1, CHECK_OUT_HOUR);
  const [startsAt, endsAt] = [fromLocalInput(fromText, zone), fromLocalInput(untilText, zone)];
  const isEndWrong = startsAt !== null && endsAt !== null && endsAt <= startsAt;
  const hasDoor = groupIds.length + doorIds.length > 0;
  const hasCredential = credentials.pinLength !== null || credentials.hasMagicLink || credentials.card.trim() !== '';
  const isIncomplete = name.trim() === '' || isEndWrong || !hasDoor || !hasCredential;
  const submit = (): void =>
    onSubmit({
      ...credentials,
      card: credentials.card.trim(),
      name: name.trim(),
      email: email.trim(),
      startsAt,
      endsAt,
      groupIds,
      doors: choices.doorChoices.filter(({ door }) => doorIds.includes(door.id)),
    });
  return (
    <Form isDisabled={isIncomplete || isBusy} onSubmit={submit} submitLabel={isBusy ? stay.creating : stay.create}>
      <fieldset class="form-part card panel">
        <legend>{stay.person}</legend>
        <FormField id="stay-name" label={stay.name}>
          {field => (
            <input
              {...field}
              value={name}
              required
              maxLength={200}
              autocomplete="off"
              onInput={event => setName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField id="stay-email" label={stay.email} hint={stay.emailHint}>
          {field => (
            <input
              {...field}
              type="email"
              value={email}
              autocomplete="off"
              onInput={event => setEmail(event.currentTarget.value)}
            />
          )}
        </FormField>
      </fieldset>
      <fieldset class="form-part card panel">
        <legend>{stay.dates}</legend>
        <div class="field-pair">
          <FormField id="stay-from" label={stay.from}>
            {field => (
              <input
                {...field}
                type="datetime-local"
                value={fromText}
                onInput={event => setFrom(event.currentTarget.value)}
              />
            )}
          </FormField>
          <FormField id="stay-until" label={stay.until} error={isEndWrong ? stay.endBeforeStart : null}>
            {field => (
              <input
                {...field}
                type="datetime-local"
                value={untilText}
                onInput={event => setUntil(event.currentTarget.value)}
              />
            )}
          </FormField>
        </div>
        <p class="quiet small">{stay.datesHint(zone)}</p>
      </fieldset>
      <fieldset class="form-part card panel">
        <legend>{stay.groupsAndDoors}</legend>
        {choices.groups.length + choices.doorChoices.length === 0 ? <p class="quiet">{stay.noDoors}</p> : null}
        <CheckList label={stay.groups} options={choices.groups} selected={groupIds} onChange={setGroupIds} />
        <CheckList
          label={stay.singleDoors}
          options={choices.doorChoices.map(({ door }) => door)}
          selected={doorIds}
          onChange={setDoorIds}
        />
        {hasDoor ? null : <p class="quiet small">{stay.chooseDoor}</p>}
      </fieldset>
      <CredentialFields values={credentials} hasCredential={hasCredential} onChange={setCredentials} />
    </Form>
  );
};
