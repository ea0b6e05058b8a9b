import { StatusIcon } from '../../../components/status-icon.tsx';
import { useMessages } from '../../messages/language.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { isProblem, type PlannedLine } from './import-plan.ts';

/** A line with what is known about it. */
export interface PreviewLine extends PlannedLine {
  /** Why the line is not imported; null if it is. */
  readonly reason: string | null;
  /** Why it may be a duplicate. */
  readonly duplicate: string | null;
}

const MOST_LINES = 200;

/** What the import would create, line by line. */
export const ImportPreview = ({ lines }: { readonly lines: readonly PreviewLine[] }) => {
  const { memberImport: texts } = useMessages();
  const { formatDateTime } = useSiteTimeFormats();
  const dateOf = (iso: string | null): string => (iso === null ? texts.noLimit : formatDateTime(iso));
  // The lines that need attention first.
  const shown = [...lines].toSorted((a, b) => Number(a.reason === null) - Number(b.reason === null) || a.line - b.line);
  return (
    <div class="import-table" tabIndex={0} role="region" aria-label={texts.preview}>
      <table>
        <thead>
          <tr>
            {[
              texts.line,
              texts.fields.name,
              texts.fields.starts_at,
              texts.fields.ends_at,
              texts.fields.groups,
              texts.note,
            ].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, MOST_LINES).map(({ line, name, groupNames, planned, reason, duplicate }) => (
            <tr key={line} data-is-wrong={reason === null ? undefined : ''}>
              <td>{line}</td>
              <td>{name}</td>
              <td>{isProblem(planned) ? '' : dateOf(planned.starts_at)}</td>
              <td>{isProblem(planned) ? '' : dateOf(planned.ends_at)}</td>
              <td>{groupNames.length === 0 && !isProblem(planned) ? texts.noGroup : groupNames.join(', ')}</td>
              <td>
                {reason === null && duplicate === null ? null : (
                  <span class="check">
                    <StatusIcon level={reason === null ? 'warning' : 'error'} />
                    {reason ?? duplicate}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > MOST_LINES ? <p class="quiet small">{texts.moreLines(shown.length - MOST_LINES)}</p> : null}
    </div>
  );
};
