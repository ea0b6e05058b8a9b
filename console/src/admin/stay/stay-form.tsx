import { useMemo, useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { useOwnLimits } from '../access/desk-limits.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { CheckboxList } from '../components/checkbox-list.tsx';
import { useTypedInput } from '../components/unsaved-input.tsx';
import { usePermissionRuleObjects } from '../groups/member-group-hooks.ts';
import { useLanguage, useMessages } from '../messages/language.ts';
import {
  countCalendarDaysBetween,
  parseDateTimeLocalValue,
  computeDateTimeLocalValue,
} from '../time/date-time-local-value.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import type { StayFormValues } from './create-stay.ts';
import { CHECK_IN_HOUR, CHECK_OUT_HOUR } from './check-in-and-out.ts';
import { StayCredentialFields, type StayCredentialValues } from './credential-fields.tsx';
import { StayPersonFields, type StayPersonValues } from './person-fields.tsx';
import {
  findSingleDoorMemberGroup,
  listDoorsWithoutGroup,
  listMemberGroupDoors,
  listSingleDoorChoices,
} from './single-door-member-groups.ts';

const PIN_LENGTH = 6;

interface StayFormFieldsProps {
  readonly isBusy: boolean;
  readonly onSubmit: (form: StayFormValues) => void;
}

const MOST_DOORS = 4;

/** Groups that stand for a single door are offered as that door; the others say which doors they open. */
const useChoices = () => {
  const { stay, groups: texts, desk } = useMessages();
  const { allows } = useCurrentOrganization();
  const { isLimited, mayGive } = useOwnLimits();
  const objects = usePermissionRuleObjects();
  const { doors, groups, schedules, sites } = objects;
  const doorChoices = listSingleDoorChoices(doors, groups, allows('member_groups.write'));
  const groupChoices = useMemo(() => {
    const singleDoorGroups = new Set(doors.flatMap(door => findSingleDoorMemberGroup(groups, door)?.id ?? []));
    const describe = (names: readonly string[]): string => {
      if (names.length === 0) return stay.opensNothing;
      if (names.length === doors.length) return stay.opensAll;
      const more = names.length > MOST_DOORS ? ` ${texts.andMore(names.length - MOST_DOORS)}` : '';
      return stay.opens(`${names.slice(0, MOST_DOORS).join(', ')}${more}`);
    };
    return groups
      .filter(({ id }) => !singleDoorGroups.has(id))
      .map(group => ({ id: group.id, name: group.name, doors: listMemberGroupDoors(objects, group) }))
      .map(choice => ({ ...choice, hint: describe(choice.doors.map(({ name }) => name)) }))
      .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  }, [doors, groups, schedules, sites, stay]);
  const closed = { hint: desk.groupClosed, isDisabled: true };
  return {
    doorChoices,
    groupChoices: groupChoices.map(choice => (mayGive(choice.id) ? choice : { ...choice, ...closed })),
    /** With the doors that the front desk cannot give, and why. */
    doorOptions: [
      ...doorChoices.map(({ door: { id, name }, groupId }) => ({
        id,
        name,
        ...(groupId === null || mayGive(groupId) ? {} : closed),
      })),
      ...(isLimited
        ? listDoorsWithoutGroup(doors, groups).map(({ id, name }) => ({
            id,
            name,
            hint: desk.noGroupForDoor,
            isDisabled: true,
          }))
        : []),
    ],
  };
};

export const StayForm = ({ isBusy, onSubmit }: StayFormFieldsProps) => {
  const { stay, desk } = useMessages();
  const { findExceededDays } = useOwnLimits();
  const choices = useChoices();
  const { onInput } = useTypedInput();
  const { code } = useLanguage();
  const [person, setPerson] = useState<StayPersonValues>({ name: '', email: '', isSent: false, language: code });
  const [from, setFrom] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);
  const [groupIds, setGroupIds] = useState<readonly string[]>([]);
  const [doorIds, setDoorIds] = useState<readonly string[]>([]);
  const [credentials, setCredentials] = useState<StayCredentialValues>({
    pinLength: PIN_LENGTH,
    hasMagicLink: false,
    card: '',
  });
  const chosenDoors = [
    ...choices.groupChoices.filter(({ id }) => groupIds.includes(id)).flatMap(({ doors }) => doors),
    ...choices.doorChoices.map(({ door }) => door).filter(({ id }) => doorIds.includes(id)),
  ];
  const { zone } = useSiteTimeFormats(chosenDoors[0]?.site_id);
  // The zone is known once the sites are loaded, so the defaults are computed until the user changes them.
  const fromText = from ?? computeDateTimeLocalValue(Date.now(), zone, 0, CHECK_IN_HOUR);
  const untilText = until ?? computeDateTimeLocalValue(Date.now(), zone, 1, CHECK_OUT_HOUR);
  const [startsAt, endsAt] = [parseDateTimeLocalValue(fromText, zone), parseDateTimeLocalValue(untilText, zone)];
  const isEndWrong = startsAt !== null && endsAt !== null && endsAt <= startsAt;
  const nights =
    startsAt === null || endsAt === null ? 0 : countCalendarDaysBetween(Date.parse(startsAt), Date.parse(endsAt), zone);
  const exceededDays = findExceededDays(startsAt, endsAt, Date.now());
  const hasDoor = groupIds.length + doorIds.length > 0;
  const hasSecret = credentials.pinLength !== null || credentials.hasMagicLink;
  const hasCredential = hasSecret || credentials.card.trim() !== '';
  const missing = [
    ...(person.name.trim() === '' ? [stay.enterName] : []),
    ...(person.isSent && person.email.trim() === '' ? [stay.enterEmail] : []),
    ...(isEndWrong ? [stay.endBeforeStart] : []),
    ...(exceededDays === null || isEndWrong ? [] : [desk.stayTooLong(exceededDays)]),
    ...(hasDoor ? [] : [stay.chooseDoor]),
    ...(hasCredential ? [] : [stay.chooseCredential]),
    ...(person.isSent && hasCredential && !hasSecret ? [stay.nothingToSend] : []),
  ];
  const submit = (): void =>
    onSubmit({
      ...credentials,
      card: credentials.card.trim(),
      ...person,
      name: person.name.trim(),
      email: person.email.trim(),
      startsAt,
      endsAt,
      groupIds,
      nameGroup: stay.singleDoorGroup,
      doors: choices.doorChoices.filter(({ door }) => doorIds.includes(door.id)),
    });
  return (
    <Form
      isDisabled={missing.length > 0 || isBusy}
      onSubmit={submit}
      onInput={onInput}
      submitLabel={isBusy ? stay.creating : stay.create}
    >
      <StayPersonFields values={person} onChange={setPerson} />
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
        <p class="quiet small">
          {nights > 0 ? `${stay.nights(nights)} · ` : ''}
          {stay.datesHint(zone)}
        </p>
        <label class="choice">
          <input
            type="checkbox"
            checked={fromText === '' && untilText === ''}
            onChange={({ currentTarget: { checked } }) => {
              setFrom(checked ? '' : null);
              setUntil(checked ? '' : null);
            }}
          />
          <span>
            {stay.noDates}
            <small class="quiet">{stay.noDatesHint}</small>
          </span>
        </label>
      </fieldset>
      <fieldset class="form-part card panel">
        <legend>{stay.groupsAndDoors}</legend>
        {choices.groupChoices.length + choices.doorOptions.length === 0 ? <p class="quiet">{stay.noDoors}</p> : null}
        <CheckboxList label={stay.groups} options={choices.groupChoices} selected={groupIds} onChange={setGroupIds} />
        <CheckboxList label={stay.singleDoors} options={choices.doorOptions} selected={doorIds} onChange={setDoorIds} />
      </fieldset>
      <StayCredentialFields values={credentials} onChange={setCredentials} />
      {missing.length === 0 ? null : (
        <p class="quiet small" role="status">
          {missing.join(' ')}
        </p>
      )}
    </Form>
  );
};
