import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { addIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { SelectField, TextField } from '../components/form-fields.tsx';
import { useMessages } from '../messages/language.ts';
import { formatDateTimeLocalValue } from '../time/date-time-local-value.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import {
  type ScheduleExceptionDraft,
  findScheduleExceptionProblem,
  listScheduleExceptionDates,
  toScheduleExceptionRanges,
} from './schedule-exception-draft.ts';
import { HOUR_S } from './week-ranges.ts';
import { WeekRangeFields } from './weekday-times-editor.tsx';

const newRange = { day: 0, start: 9 * HOUR_S, length: 3 * HOUR_S };
const emptyDraft: ScheduleExceptionDraft = {
  firstDate: '',
  lastDate: '',
  name: '',
  isClosed: true,
  ranges: [newRange],
};

interface DialogProps {
  readonly scheduleId: string;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

/** The times of the schedule on a holiday or another date. */
export const AddScheduleExceptionDialog = ({ scheduleId, reload, onClose }: DialogProps) => {
  const { schedules: texts, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const { zone } = useSiteTimeFormats();
  const [draft, setDraft] = useState(emptyDraft);
  const today = formatDateTimeLocalValue(new Date().toISOString(), zone).slice(0, 10);
  const problem = findScheduleExceptionProblem(draft, today);
  const { firstDate, ranges } = draft;
  const change = (changed: Partial<ScheduleExceptionDraft>): void => setDraft({ ...draft, ...changed });
  const save = async (): Promise<void> => {
    const body = { name: draft.name, ranges: toScheduleExceptionRanges(draft) };
    for (const date of listScheduleExceptionDates(draft))
      await client.put(`/schedules/${scheduleId}/exceptions/${date}`, body);
    await reload();
  };
  const dateField = (field: 'firstDate' | 'lastDate', label: string, hint?: string) => (
    <FormField id={`exception-${field}`} label={label} hint={hint}>
      {described => (
        <input
          {...described}
          type="date"
          min={field === 'firstDate' ? today : firstDate}
          value={draft[field]}
          onInput={event => change({ [field]: event.currentTarget.value })}
        />
      )}
    </FormField>
  );
  return (
    <FormDialog
      title={texts.addException}
      isDisabled={firstDate === '' || problem !== null}
      onSubmit={save}
      onClose={onClose}
    >
      {dateField('firstDate', texts.exceptionDate)}
      {dateField('lastDate', texts.exceptionLastDate, texts.exceptionLastDateHint)}
      <TextField
        id="exception-name"
        label={stay.name}
        value={draft.name}
        hint={texts.exceptionNameHint}
        onChange={name => change({ name })}
      />
      <SelectField
        id="exception-kind"
        label={texts.exceptionTimes}
        value={draft.isClosed ? 'closed' : 'times'}
        options={[
          { value: 'closed', label: texts.closed },
          { value: 'times', label: texts.otherTimes },
        ]}
        onChange={kind => change({ isClosed: kind === 'closed' })}
      />
      {draft.isClosed ? null : (
        <>
          <ul>
            {ranges.map((range, index) => (
              <WeekRangeFields
                key={index}
                range={range}
                dayName={texts.exceptionTimes}
                isEditable
                onChange={changed => change({ ranges: ranges.flatMap(one => (one === range ? (changed ?? []) : one)) })}
              />
            ))}
          </ul>
          <Button icon={addIcon} variant="plain" onPress={() => change({ ranges: [...ranges, { ...newRange }] })}>
            {texts.addTime}
          </Button>
        </>
      )}
      {problem === null ? null : (
        <p class="wrong" role="alert">
          {texts.exceptionProblems[problem]}
        </p>
      )}
    </FormDialog>
  );
};
