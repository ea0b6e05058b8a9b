import { expect, it } from 'vitest';
import {
  type ScheduleExceptionDraft,
  findScheduleExceptionProblem,
  listScheduleExceptionDates,
  toScheduleExceptionRanges,
} from './schedule-exception-draft.ts';
import { HOUR_S } from './week-ranges.ts';

const times = (start: number, length: number) => ({ day: 0, start: start * HOUR_S, length: length * HOUR_S });
const draft = (given: Partial<ScheduleExceptionDraft> = {}): ScheduleExceptionDraft => ({
  firstDate: '2026-12-31',
  lastDate: '',
  name: '',
  isClosed: false,
  ranges: [times(9, 3)],
  ...given,
});

it('lists every date up to the last one', () => {
  expect(listScheduleExceptionDates(draft())).toEqual(['2026-12-31']);
  expect(listScheduleExceptionDates(draft({ lastDate: '2027-01-02' }))).toEqual([
    '2026-12-31',
    '2027-01-01',
    '2027-01-02',
  ]);
  expect(listScheduleExceptionDates(draft({ firstDate: '' }))).toEqual([]);
});

it('finds what a schedule cannot express', () => {
  const problem = (given: Partial<ScheduleExceptionDraft>) => findScheduleExceptionProblem(draft(given), '2026-12-30');
  expect(problem({})).toBeNull();
  expect(problem({ firstDate: '2026-12-29' })).toBe('over');
  expect(problem({ lastDate: '2026-12-30' })).toBe('order');
  expect(problem({ lastDate: '2027-12-30' })).toBe('tooLong');
  expect(problem({ ranges: [] })).toBe('noTimes');
  expect(problem({ ranges: [times(22, 8)] })).toBe('night');
  expect(problem({ isClosed: true, ranges: [] })).toBeNull();
});

it('merges the times', () => {
  expect(toScheduleExceptionRanges(draft({ ranges: [times(10, 4), times(9, 3)] }))).toEqual([
    { start: 9 * HOUR_S, end: 14 * HOUR_S },
  ]);
  expect(toScheduleExceptionRanges(draft({ isClosed: true }))).toEqual([]);
});
