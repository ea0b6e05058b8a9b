import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, clockIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { TextInputDialog } from '../components/text-input-dialog.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useLanguage, useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { describeWeekRanges, HOUR_S, toWeeklyTimeRanges, toWeekRanges } from './week-ranges.ts';

/** Monday to Friday from 8 to 18. */
const officeHours = toWeeklyTimeRanges(
  Array.from({ length: 5 }, (_, day) => ({ day, start: 8 * HOUR_S, length: 10 * HOUR_S })),
);

const NewSchedule = () => {
  const { schedules: texts, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const [isOpen, setOpen] = useState(false);
  const create = async (name: string): Promise<void> => {
    const { id } = await client.post<ScheduleResponse>('/schedules', { name, weekdays: officeHours });
    route(linkTo(`/schedules/${id}`));
  };
  return (
    <>
      <Button variant="primary" icon={addIcon} onPress={() => setOpen(true)}>
        {texts.newSchedule}
      </Button>
      {isOpen ? (
        <TextInputDialog title={texts.newSchedule} label={stay.name} onSubmit={create} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
};

export const SchedulesScreen = () => {
  const { messages, locale } = useLanguage();
  const { schedules: texts, shell, members } = messages;
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const list = useApiList<ScheduleResponse>('schedule', '/schedules');
  return (
    <>
      <PageHeader title={shell.schedules} subtitle={texts.subtitle}>
        {allows('schedules.write') ? <NewSchedule /> : null}
      </PageHeader>
      <QueryContent query={list}>
        {all =>
          all.length === 0 ? (
            <EmptyState icon={clockIcon} title={texts.emptyTitle} text={texts.emptyText} />
          ) : (
            <ul class="card row-list" aria-label={shell.schedules}>
              {all
                .toSorted((a, b) => a.name.localeCompare(b.name))
                .map(({ id, name, weekdays }) => (
                  <li key={id}>
                    <a class="list-row" href={linkTo(`/schedules/${id}`)}>
                      <span class="member-name">{name === '' ? members.unnamed : name}</span>
                      <span class="list-row-more quiet small">
                        {describeWeekRanges(toWeekRanges(weekdays), locale) ?? texts.never}
                      </span>
                    </a>
                  </li>
                ))}
            </ul>
          )
        }
      </QueryContent>
    </>
  );
};
