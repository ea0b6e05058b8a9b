import type { AccessExplanationResponse } from '@lintel/wire-protocol/admin/access-explanation';
import { useApiObject } from '../api/resource-hooks.ts';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import { type AuditEntry, useChangeLines } from '../audit/use-change-lines.ts';
import { QueryContent } from '../components/query-content.tsx';
import { EventListItem } from '../events/event-list-item.tsx';
import { useMessages } from '../messages/language.ts';

/** The bridge accepts no more ids in a request. */
const MOST_OBJECTS = 50;

/** The member, and the groups and schedules that decide about the access. */
const listDecidingObjects = ({ member_id, gadget_id, steps }: AccessExplanationResponse): readonly string[] => {
  const groups = steps.flatMap(step => [step.member_group_id, ...step.rule.map(rule => rule.member_group_id)]);
  const schedules = steps.flatMap(step => step.rule.map(rule => rule.schedule_id));
  const ids = [member_id, gadget_id, ...groups, ...schedules].filter(id => id != null);
  return [...new Set(ids)].slice(0, MOST_OBJECTS);
};

interface ChangesSinceProps {
  readonly result: AccessExplanationResponse;
  readonly since: string;
}

/** What was changed after a denial and may decide differently now, oldest first. */
export const ChangesSince = ({ result, since }: ChangesSinceProps) => {
  const { why } = useMessages();
  const linesOf = useChangeLines();
  const query = { object: listDecidingObjects(result).join(','), from: since };
  const changes = useApiObject<ListPageResponse<AuditEntry>>('audit', '/audit', query);
  return (
    <>
      <h3>{why.sinceThen}</h3>
      <QueryContent query={changes}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{why.nothingSince}</p>
          ) : (
            <ul class="event-list">
              {data.toReversed().map(entry => (
                <li key={entry.id}>
                  <EventListItem event={entry} lines={linesOf(entry)} hasDay />
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
    </>
  );
};
