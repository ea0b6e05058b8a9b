import type {
  ScheduleExceptionResponse,
  ScheduleExceptionsResponse,
} from '@lintel/wire-protocol/admin/schedule-exception';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, deleteIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiObject } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useLanguage } from '../messages/language.ts';
import { AddScheduleExceptionDialog } from './add-schedule-exception.tsx';
import { createTimeOfDayFormat } from './week-ranges.ts';

interface ExceptionsProps {
  readonly scheduleId: string;
  readonly isEditable: boolean;
  readonly reload: () => Promise<void>;
}

const useExceptions = (scheduleId: string) =>
  useApiObject<ScheduleExceptionsResponse>('schedule', `/schedules/${scheduleId}/exceptions`);

const useFormatDate = () => {
  const { locale } = useLanguage();
  const format = (options: Intl.DateTimeFormatOptions) => (date: string) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(date));
  return {
    formatDate: format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
    formatWeekday: format({ weekday: 'long' }),
  };
};

/** Says which days of the week grid have the times of a date at present. */
export const AppliedScheduleExceptionsNotice = ({ scheduleId }: { readonly scheduleId: string }) => {
  const { schedules: texts } = useLanguage().messages;
  const { formatDate, formatWeekday } = useFormatDate();
  const { data } = useExceptions(scheduleId);
  return (
    <>
      {(data?.items ?? [])
        .filter(({ is_applied }) => is_applied)
        .map(({ date }) => (
          <p key={date} class="exception-note">
            {texts.exceptionApplied(formatWeekday(date), formatDate(date))}
          </p>
        ))}
    </>
  );
};

interface ItemProps extends Omit<ExceptionsProps, 'scheduleId'> {
  readonly exception: ScheduleExceptionResponse;
}

const ExceptionItem = ({ exception, isEditable, reload }: ItemProps) => {
  const { locale, messages } = useLanguage();
  const { schedules: texts } = messages;
  const { client } = useCurrentOrganization();
  const { run } = useNotifiedAction();
  const { formatDate } = useFormatDate();
  const formatTime = createTimeOfDayFormat(locale);
  const { schedule_id, date, name, ranges, is_applied, applies_from } = exception;
  const remove = (): Promise<void> =>
    run(async () => {
      await client.delete(`/schedules/${schedule_id}/exceptions/${date}`);
      await reload();
    });
  const times = ranges.map(({ start, end }) => `${formatTime(start)}–${formatTime(end)}`).join(', ');
  return (
    <li>
      <span>
        <strong>{[formatDate(date), name].filter(text => text !== '').join(' · ')}</strong>
        <span class="exception-times">{times === '' ? texts.closed : times}</span>
        <span class="quiet small">
          {is_applied ? texts.exceptionAtDoors : texts.exceptionFrom(formatDate(applies_from))}
        </span>
      </span>
      {isEditable ? (
        <Button
          icon={deleteIcon}
          variant="plain"
          label={texts.deleteException(formatDate(date))}
          onPress={() => void remove()}
        />
      ) : null}
    </li>
  );
};

/** Holidays and other dates on which the schedule has other times. */
export const ScheduleExceptionsPanel = ({ scheduleId, isEditable, reload }: ExceptionsProps) => {
  const { schedules: texts } = useLanguage().messages;
  const [isAdding, setAdding] = useState(false);
  const exceptions = useExceptions(scheduleId);
  return (
    <section class="card panel" aria-labelledby="schedule-exceptions">
      <h2 id="schedule-exceptions">{texts.exceptions}</h2>
      <QueryContent query={exceptions}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{texts.noExceptions}</p>
          ) : (
            <ul class="entry-list exception-list">
              {items.map(exception => (
                <ExceptionItem key={exception.date} exception={exception} isEditable={isEditable} reload={reload} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      {isEditable ? (
        <div class="bar">
          <Button icon={addIcon} onPress={() => setAdding(true)}>
            {texts.addException}
          </Button>
        </div>
      ) : null}
      <p class="quiet small">{texts.exceptionsText}</p>
      {isAdding ? (
        <AddScheduleExceptionDialog scheduleId={scheduleId} reload={reload} onClose={() => setAdding(false)} />
      ) : null}
    </section>
  );
};
