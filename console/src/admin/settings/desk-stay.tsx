import type { DeskLimitsResponse } from '@lintel/wire-protocol/admin/desk-limits';
import { useState } from 'preact/hooks';
import { Form } from '../../components/form.tsx';
import { useDeskLimits } from '../access/desk-limits.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useReloadObjects } from '../api/resource-hooks.ts';
import { TextField } from '../components/form-fields.tsx';
import { useNotices } from '../components/notices.tsx';
import { SaveError } from '../components/save-error.tsx';
import { useUnsavedInput } from '../components/unsaved-input.tsx';
import { useMessages } from '../messages/language.ts';

const DAYS = /^[1-9]\d{0,3}$/;

const LongestStayForm = ({ limits }: { readonly limits: DeskLimitsResponse }) => {
  const { desk: texts, settings, general } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const reload = useReloadObjects('member_group');
  const saved = limits.longest_stay_days === null ? '' : String(limits.longest_stay_days);
  const [days, setDays] = useState(saved);
  const [error, setError] = useState<Error | null>(null);
  const typed = days.trim();
  useUnsavedInput(typed !== saved);
  const save = async (): Promise<void> => {
    try {
      await client.patch('/desk_limits', { longest_stay_days: typed === '' ? null : Number(typed) });
      setError(null);
      await reload();
      notices.show(settings.saved);
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <Form
      isDisabled={typed === saved || (typed !== '' && !DAYS.test(typed))}
      onSubmit={() => void save()}
      submitLabel={general.save}
    >
      <TextField
        id="desk-days"
        label={texts.longestStay}
        hint={texts.longestStayHint}
        inputMode="numeric"
        maxLength={4}
        value={days}
        onChange={setDays}
      />
      <SaveError error={error} />
    </Form>
  );
};

/** How long the front desk may give access. */
export const DeskStayPanel = () => {
  const { desk: texts } = useMessages();
  const { allows } = useCurrentOrganization();
  const canEdit = allows('member_groups.write');
  const { data } = useDeskLimits(canEdit);
  if (!canEdit || data === undefined) return null;
  return (
    <section class="card panel" aria-labelledby="settings-desk">
      <h2 id="settings-desk">{texts.title}</h2>
      <LongestStayForm key={String(data.longest_stay_days)} limits={data} />
    </section>
  );
};
