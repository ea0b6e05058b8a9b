import { accessMethods } from '@lintel/access-core/access-data-types';
import type { AccessExplanationResponse } from '@lintel/wire-protocol/admin/access-explanation';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiObject, useGadgets } from '../api/resource-hooks.ts';
import { type AuditEntry, useChangeLines } from '../audit/use-change-lines.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { EventListItem } from '../events/event-list-item.tsx';
import { useMessages } from '../messages/language.ts';
import { parseDateTimeLocalValue } from '../time/date-time-local-value.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { AccessExplanationResultPanel } from './access-explanation-result-panel.tsx';
import { CancelButton } from '../components/dialog-buttons.tsx';

export interface AccessExplanationQuestion {
  readonly memberId: string;
  readonly memberName: string;
  readonly gadgetId?: string | undefined;
  readonly actionId?: string | undefined;
  readonly method?: string | undefined;
  /** The recorded denial that the question is about. */
  readonly denial?: { readonly at: string; readonly reason: string } | undefined;
}

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
const ChangesSince = ({ result, since }: ChangesSinceProps) => {
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

interface WhyDialogProps {
  readonly question: AccessExplanationQuestion;
  readonly onClose: () => void;
}

/** Explains why a member can use a door or not: a dry run of the decision. */
export const AccessExplanationDialog = ({ question, onClose }: WhyDialogProps) => {
  const messages = useMessages();
  const { why, member: texts } = messages;
  const { denial } = question;
  const { client, allows } = useCurrentOrganization();
  const { data: doors = [] } = useGadgets();
  const [gadgetId, setGadgetId] = useState(question.gadgetId ?? '');
  const door = doors.find(({ id }) => id === gadgetId);
  const { zone, formatWithin } = useSiteTimeFormats(door?.site_id);
  const [actionId, setActionId] = useState(question.actionId ?? '');
  const [method, setMethod] = useState(question.method ?? 'pin');
  const [time, setTime] = useState('');
  const [result, setResult] = useState<AccessExplanationResponse | null>(null);
  const [isNow, setNow] = useState(true);
  const [error, setError] = useState<Error | null>(null);
  const action = door?.actions.find(({ id }) => id === actionId) ?? door?.actions[0];
  const check = async (): Promise<void> => {
    setError(null);
    try {
      const body = {
        member_id: question.memberId,
        gadget_id: door?.id,
        action_id: action?.id,
        access_method: method,
        at: parseDateTimeLocalValue(time, zone),
      };
      setResult(await client.post<AccessExplanationResponse>('/access_check', body));
      setNow(body.at === null);
    } catch (problem) {
      setResult(null);
      setError(problem as Error);
    }
  };
  const isComplete = question.gadgetId !== undefined && action !== undefined;
  useEffect(() => {
    if (isComplete) void check();
  }, [isComplete]);
  return (
    <Dialog label={why.title(question.memberName)} onClose={onClose}>
      <h2>{why.title(question.memberName)}</h2>
      {error === null ? null : (
        <p class="wrong" role="alert">
          {describeAdminError(messages, error)}
        </p>
      )}
      {denial === undefined ? null : (
        <p class="why-verdict">
          <StatusIcon level="error" />
          {why.recorded(
            door?.name ?? '',
            question.memberName,
            messages.events.reasons[denial.reason] ?? denial.reason,
            formatWithin(denial.at),
          )}
        </p>
      )}
      {result !== null && denial !== undefined && allows('events.read') ? (
        <ChangesSince result={result} since={denial.at} />
      ) : null}
      {result === null ? null : (
        <AccessExplanationResultPanel
          memberName={question.memberName}
          result={result}
          isAboutNow={denial !== undefined && isNow}
        />
      )}
      {denial === undefined ? null : <h3>{why.otherTime}</h3>}
      <Form
        isDisabled={action === undefined}
        onSubmit={() => void check()}
        submitLabel={why.check}
        cancel={<CancelButton label="close" onPress={onClose} />}
      >
        <GroupedSelectField
          id="why-door"
          label={why.door}
          value={door?.id ?? ''}
          options={doors}
          placeholder={why.chooseDoor}
          onChange={id => {
            setGadgetId(id);
            setResult(null);
          }}
        />
        {(door?.actions.length ?? 0) < 2 ? null : (
          <GroupedSelectField
            id="why-action"
            label={why.action}
            value={action?.id ?? ''}
            options={door?.actions ?? []}
            onChange={setActionId}
          />
        )}
        <GroupedSelectField
          id="why-method"
          label={why.method}
          value={method}
          options={accessMethods.map(id => ({ id, name: texts.methods[id] ?? id }))}
          onChange={setMethod}
        />
        <FormField id="why-time" label={why.time} hint={why.timeHint(zone)}>
          {field => (
            <input
              {...field}
              type="datetime-local"
              value={time}
              onInput={event => setTime(event.currentTarget.value)}
            />
          )}
        </FormField>
        <p class="quiet small">
          {why.note} {why.rulesOfNow}
        </p>
      </Form>
    </Dialog>
  );
};
