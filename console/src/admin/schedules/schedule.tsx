import type { WeeklyTimeRanges } from '@lintel/access-core/schedule';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { GroupLockoutPanel } from '../access/lockout-status.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { EditConflictError, editObject } from '../api/edit-object.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiObject } from '../api/resource-hooks.ts';
import { HistoryPanel } from '../audit/history-panel.tsx';
import { useNotices } from '../components/notices.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { RenameAndDeleteButtons } from '../named-object/rename-and-delete-buttons.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useUnsavedInput } from '../components/unsaved-input.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../router/screen-route-type.ts';
import { WeekdayTimesEditor } from './weekday-times-editor.tsx';
import { AppliedScheduleExceptionsNotice, ScheduleExceptionsPanel } from './schedule-exceptions.tsx';
import { ScheduleStatusNow } from './schedule-status-now.tsx';
import { ScheduleUsesList, usePermissionRulesWithSchedule, useTriggersWithSchedule } from './schedule-uses.tsx';
import { WeekGrid } from './week-grid.tsx';
import { toWeeklyTimeRanges, toWeekRanges, type WeekRange } from './week-ranges.ts';

/** Each is a request. The pages of the other groups show the same. */
const MOST_GROUPS = 10;

interface ScheduleProps {
  readonly schedule: ScheduleResponse;
}

const useReloadSchedules = (): (() => Promise<void>) => {
  const { id } = useCurrentOrganization();
  return () => queryClient.invalidateQueries({ queryKey: [id, 'schedule'] });
};

const ScheduleActions = ({ schedule }: ScheduleProps) => {
  const { schedules: texts } = useMessages();
  const reload = useReloadSchedules();
  const users = usePermissionRulesWithSchedule(schedule.id);
  const triggers = useTriggersWithSchedule(schedule.id);
  return (
    <RenameAndDeleteButtons
      path={`/schedules/${schedule.id}`}
      isDeletionForced={triggers.length > 0}
      name={schedule.name}
      deleteTitle={texts.deleteTitle(schedule.name)}
      reload={reload}
    >
      <p>
        {users.length === 0
          ? texts.deleteUnused
          : texts.deleteUsed([...new Set(users.map(({ name }) => name))].join(', '))}
      </p>
      {triggers.length === 0 ? null : (
        <p class="mark">{texts.deleteTriggers([...new Set(triggers.map(({ door }) => door))].join(', '))}</p>
      )}
    </RenameAndDeleteButtons>
  );
};

interface Draft {
  readonly ranges: readonly WeekRange[];
  /** The times when the first change was made, or those that another user has saved since. */
  readonly base: WeeklyTimeRanges;
  readonly hasConflict: boolean;
}

const ScheduleContent = ({ schedule }: ScheduleProps) => {
  const { schedules: texts, members, general } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const reload = useReloadSchedules();
  const [draft, setDraft] = useState<Draft | null>(null);
  const rules = usePermissionRulesWithSchedule(schedule.id);
  useUnsavedInput(draft !== null);
  const [isBusy, setBusy] = useState(false);
  const [isSavedShown, setSavedShown] = useState(false);
  const saved = toWeekRanges(schedule.weekdays);
  const ranges = draft === null || isSavedShown ? saved : draft.ranges;
  const canEdit = allows('schedules.write') && !schedule.is_deleted && !isSavedShown;
  const change = (changed: readonly WeekRange[]): void =>
    setDraft({ base: schedule.weekdays, hasConflict: false, ...draft, ranges: changed });
  const discard = (): void => {
    setDraft(null);
    setSavedShown(false);
  };
  const save = async ({ base, ranges: changed }: Draft): Promise<void> => {
    setBusy(true);
    try {
      const body = { weekdays: toWeeklyTimeRanges(changed) };
      await editObject(client, `/schedules/${schedule.id}`, { weekdays: base }, body);
      await reload();
      discard();
      notices.show(texts.saved);
    } catch (error) {
      if (error instanceof EditConflictError) {
        const { weekdays } = error.current as ScheduleResponse;
        setDraft({ base: weekdays, ranges: changed, hasConflict: true });
        await reload();
      }
      notices.showError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PageHeader
        title={schedule.name === '' ? members.unnamed : schedule.name}
        subtitle={schedule.is_deleted ? <StatusBadge level="error" text={members.statuses.deleted} /> : texts.everyWeek}
      >
        {canEdit ? <ScheduleActions schedule={schedule} /> : null}
      </PageHeader>
      {[...new Map(rules.map(({ id, name }) => [id, name]))].slice(0, MOST_GROUPS).map(([id, name]) => (
        <GroupLockoutPanel key={id} groupId={id} groupName={name} />
      ))}
      <div class="columns">
        <section class="card panel" aria-labelledby="schedule-times">
          <h2 id="schedule-times">{texts.times}</h2>
          {canEdit ? <p class="quiet small">{texts.gridHint}</p> : null}
          <AppliedScheduleExceptionsNotice scheduleId={schedule.id} />
          <WeekGrid
            ranges={ranges}
            isEditable={canEdit}
            onChange={changed => change(toWeekRanges(toWeeklyTimeRanges(changed)))}
          />
          <WeekdayTimesEditor ranges={ranges} isEditable={canEdit} onChange={change} />
          {draft === null ? null : (
            <div class="save-bar">
              <span>{draft.hasConflict ? `${general.editConflict} ${general.saveAgain}` : texts.unsaved}</span>
              {draft.hasConflict ? (
                <Button onPress={() => setSavedShown(!isSavedShown)}>
                  {isSavedShown ? general.showMine : general.showSaved}
                </Button>
              ) : null}
              <Button onPress={discard}>{texts.discard}</Button>
              <Button variant="primary" isDisabled={isBusy} onPress={() => void save(draft)}>
                {general.save}
              </Button>
            </div>
          )}
        </section>
        <div class="column">
          <section class="card panel" aria-labelledby="schedule-now">
            <h2 id="schedule-now">{draft === null ? texts.now : texts.nowAfterSaving}</h2>
            <ScheduleStatusNow weekdays={toWeeklyTimeRanges(ranges)} />
          </section>
          <section class="card panel" aria-labelledby="schedule-uses">
            <h2 id="schedule-uses">{texts.usedBy}</h2>
            <ScheduleUsesList scheduleId={schedule.id} />
          </section>
          <ScheduleExceptionsPanel scheduleId={schedule.id} isEditable={canEdit} reload={reload} />
        </div>
      </div>
      {allows('events.read') ? <HistoryPanel objectId={schedule.id} /> : null}
    </>
  );
};

export const ScheduleScreen = ({ params }: ScreenProps) => {
  const { shell } = useMessages();
  const linkTo = useLinkTo();
  const schedule = useApiObject<ScheduleResponse>('schedule', `/schedules/${params['schedule_id'] ?? ''}`);
  return (
    <>
      <a class="back-link" href={linkTo('/schedules')}>
        ← {shell.schedules}
      </a>
      <QueryContent query={schedule}>{data => <ScheduleContent key={data.id} schedule={data} />}</QueryContent>
    </>
  );
};
