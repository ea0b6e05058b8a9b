import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { EditConflictError } from '../api/edit-object.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { ErrorMessage } from './error-message.tsx';

/** The names of fields as the form shows them. */
export type FieldLabels = Readonly<Record<string, string>>;

const TIME_FIELD = /_at$/;

const NewValues = ({ error, labels }: { readonly error: EditConflictError; readonly labels: FieldLabels }) => {
  const { general } = useMessages();
  const time = useSiteTimeFormats();
  const show = (field: string): string => {
    const value = (error.current as Readonly<Record<string, unknown>>)[field];
    if (value === null || value === undefined || value === '') return general.none;
    if (typeof value === 'string') return TIME_FIELD.test(field) ? time.formatDateTime(value) : value;
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ') || general.none;
    return JSON.stringify(value);
  };
  const shown = error.fields.filter(field => Object.hasOwn(labels, field));
  return (
    <>
      {shown.length === 0 ? null : (
        <>
          <p>{general.newValues}</p>
          <LabeledValueList facts={shown.map(field => [labels[field]!, show(field)] as const)} />
        </>
      )}
      <p>{general.saveAgain}</p>
    </>
  );
};

interface SaveErrorProps {
  readonly error: Error | null;
  readonly labels?: FieldLabels;
}

/** Why a form could not be saved. If another user has changed the object, with the new values. */
export const SaveError = ({ error, labels = {} }: SaveErrorProps) => {
  if (error === null) return null;
  return (
    <div role="alert">
      <p class="wrong">
        <ErrorMessage error={error} />
      </p>
      {error instanceof EditConflictError ? <NewValues error={error} labels={labels} /> : null}
    </div>
  );
};
