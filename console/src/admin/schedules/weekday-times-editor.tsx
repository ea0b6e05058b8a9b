import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, copyIcon, deleteIcon } from '../../design/icons.ts';
import { CheckboxList } from '../components/checkbox-list.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useLanguage } from '../messages/language.ts';
import {
  copyDayRanges,
  DAY_S,
  parseTimeInputValue,
  HOUR_S,
  createTimeOfDayFormat,
  formatTimeInputValue,
  type WeekRange,
  createWeekRangeFromTimes,
} from './week-ranges.ts';
import { listWeekdayNames } from './weekday-names.ts';

interface RangeListProps {
  readonly ranges: readonly WeekRange[];
  readonly isEditable: boolean;
  readonly onChange: (ranges: readonly WeekRange[]) => void;
}

interface RangeFieldsProps {
  readonly range: WeekRange;
  readonly dayName: string;
  readonly isEditable: boolean;
  readonly onChange: (range: WeekRange | null) => void;
}

/** The begin and end of one time. */
export const WeekRangeFields = ({ range, dayName, isEditable, onChange }: RangeFieldsProps) => {
  const { locale, messages } = useLanguage();
  const { schedules: texts } = messages;
  const formatTime = createTimeOfDayFormat(locale);
  const { day, start, length } = range;
  const end = start + length;
  const input = (label: string, value: number, apply: (seconds: number) => WeekRange) => (
    <input
      type="time"
      aria-label={`${label}: ${dayName}`}
      value={formatTimeInputValue(value)}
      readOnly={!isEditable}
      onChange={event => {
        const seconds = parseTimeInputValue(event.currentTarget.value);
        if (seconds !== null) onChange(apply(seconds));
      }}
    />
  );
  return (
    <li class="range-fields">
      {input(texts.from, start, seconds => createWeekRangeFromTimes(day, seconds, end % DAY_S))}
      <span aria-hidden="true">–</span>
      {input(texts.until, end, seconds => createWeekRangeFromTimes(day, start, seconds))}
      <small class="quiet">{end > DAY_S ? texts.nextDay : end === DAY_S ? texts.midnight : ''}</small>
      {isEditable ? (
        <Button
          icon={deleteIcon}
          variant="plain"
          label={texts.deleteRange(dayName, formatTime(start), formatTime(end))}
          onPress={() => onChange(null)}
        />
      ) : null}
    </li>
  );
};

interface CopyDayProps extends RangeListProps {
  readonly day: number;
  readonly onClose: () => void;
}

const CopyDay = ({ ranges, day, onChange, onClose }: CopyDayProps) => {
  const { messages, locale } = useLanguage();
  const { schedules: texts } = messages;
  const names = listWeekdayNames(locale, 'long');
  const [selected, setSelected] = useState<readonly string[]>([]);
  return (
    <FormDialog
      title={texts.copyDayTitle(names[day]!)}
      submitLabel={texts.copy}
      isDisabled={selected.length === 0}
      onSubmit={async () => onChange(copyDayRanges(ranges, day, selected.map(Number)))}
      onClose={onClose}
    >
      <CheckboxList
        label={texts.copyTo}
        options={names.map((name, id) => ({ id: String(id), name })).filter(({ id }) => id !== String(day))}
        selected={selected}
        onChange={setSelected}
      />
    </FormDialog>
  );
};

/** The times of each day with inputs, for the keyboard and for exact times. */
export const WeekdayTimesEditor = (props: RangeListProps) => {
  const { ranges, isEditable, onChange } = props;
  const { messages, locale } = useLanguage();
  const { schedules: texts } = messages;
  const [copied, setCopied] = useState<number | null>(null);
  const replace = (old: WeekRange, changed: WeekRange | null): void =>
    onChange(ranges.flatMap(range => (range === old ? (changed ?? []) : range)));
  return (
    <ul class="day-list">
      {listWeekdayNames(locale, 'long').map((name, day) => {
        const own = ranges.filter(range => range.day === day).toSorted((a, b) => a.start - b.start);
        return (
          <li key={day}>
            <h3>{name}</h3>
            {own.length === 0 ? (
              <p class="quiet">{texts.closed}</p>
            ) : (
              <ul>
                {own.map((range, index) => (
                  <WeekRangeFields
                    key={index}
                    range={range}
                    dayName={name}
                    isEditable={isEditable}
                    onChange={changed => replace(range, changed)}
                  />
                ))}
              </ul>
            )}
            {isEditable ? (
              <div class="bar">
                <Button
                  icon={addIcon}
                  variant="plain"
                  label={texts.addRange(name)}
                  onPress={() => onChange([...ranges, { day, start: 8 * HOUR_S, length: 10 * HOUR_S }])}
                />
                {own.length === 0 ? null : (
                  <Button
                    icon={copyIcon}
                    variant="plain"
                    label={texts.copyDayTitle(name)}
                    onPress={() => setCopied(day)}
                  />
                )}
              </div>
            ) : null}
          </li>
        );
      })}
      {copied === null ? null : <CopyDay {...props} day={copied} onClose={() => setCopied(null)} />}
    </ul>
  );
};
