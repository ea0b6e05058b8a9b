import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { describeAccessByDoor } from '../access/describe-access-by-door.ts';
import { useLanguage } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import {
  type PermissionRuleObjects,
  type MemberGroupPermission,
  listMemberGroupAccess,
} from '../access/member-group-access.ts';

const MOST_SHOWN = 12;

interface AccessPreviewProps {
  readonly objects: PermissionRuleObjects;
  readonly groupId: string;
  readonly rules: readonly MemberGroupPermission[];
  /** The rules of the bridge, if they differ: shows what saving changes. */
  readonly savedRules?: readonly MemberGroupPermission[];
}

/** What members of the group can open, one sentence per door, calculated in the browser as the doors do it. */
export const AccessPreviewPanel = ({ objects, groupId, rules, savedRules }: AccessPreviewProps) => {
  const { messages, locale } = useLanguage();
  const { groups: texts } = messages;
  const time = useSiteTimeFormats();
  const [isWhole, setWhole] = useState(false);
  const { doors, schedules } = objects;
  const sentencesOf = (given: readonly MemberGroupPermission[]): readonly string[] =>
    describeAccessByDoor(listMemberGroupAccess(objects, groupId, given), {
      messages,
      locale,
      doors,
      schedules,
      formatTime: time.formatWithin,
    });
  const after = sentencesOf(rules);
  const before = savedRules === undefined ? after : sentencesOf(savedRules);
  const lines = [
    ...after.filter(text => !before.includes(text)).map(text => ({ text, level: 'ok' as const, mark: texts.added })),
    ...before
      .filter(text => !after.includes(text))
      .map(text => ({ text, level: 'error' as const, mark: texts.removed })),
    ...after.filter(text => before.includes(text)).map(text => ({ text, level: 'neutral' as const, mark: null })),
  ];
  if (lines.length === 0) return <p class="quiet">{texts.opensNothing}</p>;
  const shown = isWhole ? lines : lines.slice(0, MOST_SHOWN);
  return (
    <ul class="checks access-preview">
      {shown.map(({ text, level, mark }) => (
        <li key={text} class="check">
          <StatusIcon level={savedRules === undefined ? 'ok' : level} />
          <span>
            {mark === null ? null : <strong>{mark} </strong>}
            {text}
          </span>
        </li>
      ))}
      {lines.length > shown.length ? (
        <li>
          <Button variant="plain" onPress={() => setWhole(true)}>
            {texts.andMore(lines.length - shown.length)}
          </Button>
        </li>
      ) : null}
    </ul>
  );
};
