import type { EventReportResponse } from '@lintel/wire-protocol/admin/event-report';
import { Dialog } from '../../components/dialog.tsx';
import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { useApiObject } from '../api/resource-hooks.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { describeEvent, type ExpandedEvent } from '../events/describe-event.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { ExplainAccessButton } from '../access-explanation/explain-access-button.tsx';
import type { AccessExplanationQuestion } from '../access-explanation/access-explanation-dialog.tsx';
import { DialogButtons } from '../components/dialog-buttons.tsx';

/** The fields of the API, without the objects that were expanded for the sentence. */
const toRawJson = (event: ExpandedEvent): string =>
  JSON.stringify(
    event,
    (key, value: unknown) => (/^(?:(?:subject|object)_|changes$|names$)/.test(key) ? undefined : value),
    2,
  );

const toQuestion = (event: ExpandedEvent): AccessExplanationQuestion | null => {
  const { subject, object, subject_member } = event;
  if (event.verb !== 'deny' || subject.member_id == null) return null;
  return {
    memberId: subject.member_id,
    memberName: subject_member?.name ?? subject.member_id,
    gadgetId: object.gadget_id ?? undefined,
    actionId: object.gadget_action_id ?? undefined,
    method: subject.access_method ?? undefined,
    denial: { at: event.occurred_at, reason: event.reason ?? '' },
  };
};

interface EventDetailsProps {
  readonly event: ExpandedEvent;
  /** What it changed. */
  readonly lines?: readonly string[];
  readonly onClose: () => void;
}

export const EventDetailsDialog = ({ event, lines = [], onClose }: EventDetailsProps) => {
  const messages = useMessages();
  const { activity } = messages;
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const time = useSiteTimeFormats(event.object.site_id ?? undefined);
  const { data: report } = useApiObject<EventReportResponse>('event_report', `/events/${event.id}/report`);
  const question = allows('members.read') ? toQuestion(event) : null;
  const memberId = event.subject.member_id ?? event.object.member_id;
  return (
    <Dialog label={activity.details} onClose={onClose}>
      <h2>{describeEvent(event, messages)}</h2>
      {lines.length === 0 ? null : (
        <ul>
          {lines.map(line => (
            <li key={line} class="event-line">
              {line}
            </li>
          ))}
        </ul>
      )}
      <LabeledValueList
        facts={[
          [activity.time, `${time.formatDateTime(event.occurred_at)} (${time.zone})`],
          [activity.recorded, `${time.formatDateTime(event.recorded_at)} (${time.zone})`],
          ...(report?.reported_by == null
            ? []
            : [[activity.reportedBy, report.device_name ?? report.reported_by] as const]),
        ]}
      />
      <details>
        <summary>{activity.rawJson}</summary>
        <pre class="raw-json" tabIndex={0}>
          {toRawJson(event)}
        </pre>
      </details>
      <DialogButtons label="close" onClose={onClose}>
        {question === null ? null : <ExplainAccessButton question={question} label={activity.why} />}
        {memberId != null && allows('members.read') ? (
          <a class="button" href={linkTo(`/members/${memberId}`)}>
            {activity.openMember}
          </a>
        ) : null}
      </DialogButtons>
    </Dialog>
  );
};
