import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { useMessages } from '../messages/language.ts';
import { parseDateTimeLocalValue, formatDateTimeLocalValue } from '../time/date-time-local-value.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

export interface ApiValidity {
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

/** Start and end as texts of the site's clock, and as instants. */
export const useValidityInput = (initial: ApiValidity, siteId?: string) => {
  const siteTime = useSiteTimeFormats(siteId);
  // Kept, because the texts are in this zone.
  const [zone] = useState(siteTime.zone);
  const [from, setFrom] = useState(() => formatDateTimeLocalValue(initial.starts_at, zone));
  const [until, setUntil] = useState(() => formatDateTimeLocalValue(initial.ends_at, zone));
  const validity: ApiValidity = {
    starts_at: parseDateTimeLocalValue(from, zone),
    ends_at: parseDateTimeLocalValue(until, zone),
  };
  const { starts_at, ends_at } = validity;
  const isEndWrong = starts_at !== null && ends_at !== null && ends_at <= starts_at;
  return { from, until, setFrom, setUntil, zone, validity, isEndWrong };
};

interface ValidityFieldsProps {
  readonly idPrefix: string;
  readonly input: ReturnType<typeof useValidityInput>;
}

export const ValidityFields = ({ idPrefix, input }: ValidityFieldsProps) => {
  const { stay } = useMessages();
  return (
    <>
      <FormField id={`${idPrefix}-from`} label={stay.from}>
        {field => (
          <input
            {...field}
            type="datetime-local"
            value={input.from}
            onInput={event => input.setFrom(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField
        id={`${idPrefix}-until`}
        label={stay.until}
        hint={stay.datesHint(input.zone)}
        error={input.isEndWrong ? stay.endBeforeStart : null}
      >
        {field => (
          <input
            {...field}
            type="datetime-local"
            value={input.until}
            onInput={event => input.setUntil(event.currentTarget.value)}
          />
        )}
      </FormField>
    </>
  );
};
