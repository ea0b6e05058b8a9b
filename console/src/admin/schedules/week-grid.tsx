import { useRef, useState } from 'preact/hooks';
import { useLanguage } from '../messages/language.ts';
import {
  DAY_S,
  type WeekGridDragMode,
  dragWeekRange,
  HOUR_S,
  createWeekRangeBetween,
  createTimeOfDayFormat,
  type WeekRange,
} from './week-ranges.ts';
import { listWeekdayNames } from './weekday-names.ts';

const STEP_S = HOUR_S / 2;
const LABEL_HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

interface Drag {
  readonly mode: WeekGridDragMode | 'create';
  readonly range: WeekRange;
  /** Null while the range is being created. */
  readonly index: number | null;
  readonly startX: number;
  readonly startY: number;
}

interface WeekGridProps {
  readonly ranges: readonly WeekRange[];
  readonly isEditable: boolean;
  readonly onChange: (ranges: readonly WeekRange[]) => void;
}

interface Block {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly isContinued: boolean;
  readonly continues: boolean;
}

/** The visible parts of the ranges on a day; a night has one part on each of two days. */
const blocksOf = (ranges: readonly WeekRange[], day: number): readonly Block[] =>
  ranges.flatMap((range, index): Block[] => {
    const end = range.start + range.length;
    if (range.day === day)
      return [{ index, start: range.start, end: Math.min(end, DAY_S), isContinued: false, continues: end > DAY_S }];
    if ((range.day + 1) % 7 === day && end > DAY_S)
      return [{ index, start: 0, end: end - DAY_S, isContinued: true, continues: false }];
    return [];
  });

const percent = (seconds: number): string => `${(seconds / DAY_S) * 100}%`;

/**
 * Seven days with 24 hours: drag to create, move and resize. Hidden from screen readers and the keyboard, which use the
 * list of times.
 */
export const WeekGrid = ({ ranges, isEditable, onChange }: WeekGridProps) => {
  const { locale } = useLanguage();
  const grid = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [draft, setDraft] = useState<WeekRange | null>(null);
  const shown =
    draft === null || drag === null
      ? ranges
      : drag.index === null
        ? [...ranges, draft]
        : ranges.map((range, index) => (index === drag.index ? draft : range));
  const secondsAt = (clientY: number): number => {
    const { top, height } = grid.current!.getBoundingClientRect();
    return Math.round(((clientY - top) / height) * (DAY_S / STEP_S)) * STEP_S;
  };
  const begin = (event: PointerEvent, mode: Drag['mode'], range: WeekRange, index: number | null): void => {
    if (!isEditable || event.button !== 0) return;
    event.stopPropagation();
    grid.current?.setPointerCapture(event.pointerId);
    setDrag({ mode, range, index, startX: event.clientX, startY: event.clientY });
    setDraft(range);
  };
  const follow = (event: PointerEvent): void => {
    if (drag === null) return;
    const { mode, range, startX, startY } = drag;
    if (mode === 'create') {
      setDraft(
        createWeekRangeBetween(range.day, range.start, Math.max(0, Math.min(DAY_S, secondsAt(event.clientY))), STEP_S),
      );
      return;
    }
    const { width, height } = grid.current!.getBoundingClientRect();
    const seconds = Math.round(((event.clientY - startY) / height) * (DAY_S / STEP_S)) * STEP_S;
    const days = Math.round(((event.clientX - startX) / width) * 7);
    setDraft(dragWeekRange(range, mode, { seconds, days, step: STEP_S }));
  };
  const finish = (isKept: boolean): void => {
    if (isKept && drag !== null && draft !== null) {
      // A tap creates an hour.
      const isTap = drag.index === null && draft.length === STEP_S;
      const range = isTap ? { ...draft, length: HOUR_S } : draft;
      onChange(
        drag.index === null ? [...ranges, range] : ranges.map((one, index) => (index === drag.index ? range : one)),
      );
    }
    setDrag(null);
    setDraft(null);
  };
  const formatTime = createTimeOfDayFormat(locale, { isShort: true });
  return (
    <div class="week" aria-hidden="true" data-is-editable={isEditable ? '' : undefined}>
      <div class="week-head">
        {listWeekdayNames(locale, 'short').map(name => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div class="week-hours">
        {LABEL_HOURS.map(hour => (
          <span key={hour} style={{ top: percent(hour * HOUR_S) }}>
            {formatTime(hour * HOUR_S)}
          </span>
        ))}
      </div>
      <div
        class="week-days"
        ref={grid}
        onPointerMove={follow}
        onPointerUp={() => finish(true)}
        onPointerCancel={() => finish(false)}
      >
        {Array.from({ length: 7 }, (_, day) => (
          <div
            key={day}
            class="week-day"
            onPointerDown={event => {
              const start = Math.floor(secondsAt(event.clientY - 1) / STEP_S) * STEP_S;
              begin(event, 'create', createWeekRangeBetween(day, start, start, STEP_S), null);
            }}
          >
            {blocksOf(shown, day).map(({ index, start, end, isContinued, continues }) => (
              <div
                key={`${index}-${isContinued}`}
                class="week-block"
                data-is-continued={isContinued ? '' : undefined}
                data-continues={continues ? '' : undefined}
                style={{ top: percent(start), height: percent(end - start) }}
                onPointerDown={event => begin(event, 'move', shown[index]!, index)}
              >
                {isContinued ? null : (
                  <i class="week-grip" onPointerDown={event => begin(event, 'start', shown[index]!, index)} />
                )}
                <span>
                  {isContinued ? '' : formatTime(shown[index]!.start)}–
                  {formatTime(shown[index]!.start + shown[index]!.length)}
                </span>
                {continues ? null : (
                  <i class="week-grip end" onPointerDown={event => begin(event, 'end', shown[index]!, index)} />
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};
