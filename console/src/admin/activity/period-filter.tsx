import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { activityPeriods, computeActivityPeriodRange, findActivityPeriodOfRange } from './event-filter.ts';

export interface PeriodFilterProps {
  /** Of the times that the filters contain. */
  readonly zone: string;
  readonly isZoneShown: boolean;
}

/** A period with one click; the exact times are shown once a period is chosen. */
export const PeriodFilter = ({ zone, isZoneShown }: PeriodFilterProps) => {
  const { activity } = useMessages();
  const [query, setQuery] = useUrlQueryParameters();
  const { from = '', until = '' } = query;
  const hasTimes = from !== '' || until !== '' || query['period'] === 'custom';
  const selected = hasTimes ? (findActivityPeriodOfRange({ from, until }, Date.now(), zone) ?? 'custom') : 'any';
  const select = (value: string): void => {
    const period = activityPeriods.find(one => one === value);
    const range =
      period === undefined ? { from: null, until: null } : computeActivityPeriodRange(period, Date.now(), zone);
    setQuery({ ...range, period: value === 'custom' ? value : null });
  };
  const time = (name: 'from' | 'until') => (
    <label class="time-filter">
      <span class="quiet small">{activity[name]}</span>
      <input
        type="datetime-local"
        value={query[name] ?? ''}
        onChange={event => setQuery({ [name]: event.currentTarget.value, period: 'custom' })}
      />
    </label>
  );
  return (
    <>
      <select aria-label={activity.period} value={selected} onChange={event => select(event.currentTarget.value)}>
        {(['any', ...activityPeriods, 'custom'] as const).map(period => (
          <option key={period} value={period}>
            {activity.periods[period]}
          </option>
        ))}
      </select>
      {hasTimes ? time('from') : null}
      {hasTimes ? time('until') : null}
      {hasTimes && isZoneShown ? <span class="quiet small">{zone}</span> : null}
    </>
  );
};
