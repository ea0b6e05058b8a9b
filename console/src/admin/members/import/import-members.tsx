import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../../components/dialog.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { StatusIcon } from '../../../components/status-icon.tsx';
import { Button } from '../../../design/controls.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useApiList } from '../../api/resource-hooks.ts';
import { describeAdminError } from '../../components/describe-admin-error.ts';
import { GroupedSelectField } from '../../components/grouped-select-field.tsx';
import { type CsvContent, parseCsv } from '../../csv/parse-csv.ts';
import { useUnsavedInput } from '../../components/unsaved-input.tsx';
import { useMessages } from '../../messages/language.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { type BulkItemResult, runInBulk, waitBeforeBulkRetry } from '../bulk/run-bulk.ts';
import { createImportedMember } from './create-imported-member.ts';
import {
  type MemberImportColumnMapping,
  guessMemberImportColumns,
  memberImportFields,
  planMemberImport,
  type MemberToImport,
} from './import-plan.ts';

const MOST_ERRORS = 50;
const noFile: CsvContent = { rows: [], error: null };

interface ColumnFieldsProps {
  readonly header: readonly string[];
  readonly columns: MemberImportColumnMapping;
  readonly onChange: (columns: MemberImportColumnMapping) => void;
}

/** Which column of the file is which field. */
const ColumnFields = ({ header, columns, onChange }: ColumnFieldsProps) => {
  const { bulk: texts } = useMessages();
  const options = [
    { id: '', name: texts.noColumn },
    ...header.map((name, index) => ({ id: String(index), name: name === '' ? String(index + 1) : name })),
  ];
  return (
    <div class="field-pair">
      {memberImportFields.map(field => (
        <GroupedSelectField
          key={field}
          id={`import-${field}`}
          label={texts.fields[field]}
          value={String(columns[field] ?? '')}
          options={options}
          onChange={value => onChange({ ...columns, [field]: value === '' ? null : Number(value) })}
        />
      ))}
    </div>
  );
};

interface ImportMembersProps {
  readonly onClose: () => void;
}

/** Creates members from a CSV file: columns, check of every line, progress, and undo. */
export const ImportMembersDialog = ({ onClose }: ImportMembersProps) => {
  const messages = useMessages();
  const { bulk: texts, general } = messages;
  const { id, client } = useCurrentOrganization();
  const { zone } = useSiteTimeFormats();
  const [isUnreadable, setUnreadable] = useState(false);
  const { data: groups = [] } = useApiList<MemberGroupResponse>('member_group', '/member_groups', { limit: 100 });
  const [{ rows, error: fileError }, setFile] = useState(noFile);
  const [columns, setColumns] = useState<MemberImportColumnMapping>(guessMemberImportColumns([]));
  const [phase, setPhase] = useState<'check' | 'import' | 'undo' | 'undone'>('check');
  const [results, setResults] = useState<readonly BulkItemResult<MemberToImport | string>[]>([]);
  const created = useRef<string[]>([]);
  const [header, ...lines] = rows;
  const { members, errors } = planMemberImport(lines, columns, { groups, zone });
  const problems = [
    ...errors.map(({ line, problem, text }) => ({ line, text: texts.problems[problem](text) })),
    ...(fileError === null ? [] : [{ line: fileError.line, text: texts.fileProblems[fileError.problem] }]),
  ];
  const choose = async (file: File | undefined): Promise<void> => {
    // A file that was moved or changed since it was chosen cannot be read.
    const text = await file?.text().catch(() => null);
    const read = text == null ? noFile : parseCsv(text);
    setUnreadable(text === null);
    setFile(read);
    setColumns(guessMemberImportColumns(read.rows[0]?.cells ?? []));
  };
  const reload = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: [id, 'member'] });
  const run = async (): Promise<void> => {
    setPhase('import');
    const work = async (planned: MemberToImport): Promise<'done'> => {
      created.current.push(await createImportedMember(client, planned));
      return 'done';
    };
    await runInBulk({ items: members, work, onProgress: setResults, wait: waitBeforeBulkRetry });
    await reload();
  };
  const undo = async (): Promise<void> => {
    setPhase('undo');
    setResults([]);
    const work = async (memberId: string): Promise<'done'> => {
      await client.delete(`/members/${memberId}`);
      return 'done';
    };
    await runInBulk({ items: created.current, work, onProgress: setResults, wait: waitBeforeBulkRetry });
    await reload();
    setPhase('undone');
  };
  const total = phase === 'import' ? members.length : created.current.length;
  const isRunning = phase !== 'check' && results.length < total;
  useUnsavedInput(isRunning);
  const failed = results.filter(({ outcome }) => outcome instanceof Error);
  return (
    <Dialog label={texts.import} onClose={isRunning ? null : onClose}>
      <h2>{texts.import}</h2>
      {phase === 'check' ? (
        <>
          <FormField
            id="import-file"
            label={texts.file}
            hint={texts.fileHint(zone)}
            error={isUnreadable ? texts.unreadable : null}
          >
            {field => (
              <input
                {...field}
                type="file"
                accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
                onChange={event => void choose(event.currentTarget.files?.[0])}
              />
            )}
          </FormField>
          {header === undefined && fileError === null ? null : (
            <>
              {header === undefined ? null : (
                <ColumnFields header={header.cells} columns={columns} onChange={setColumns} />
              )}
              <p class="check" role="status">
                <StatusIcon level={problems.length === 0 ? 'ok' : 'warning'} />
                {texts.planned(members.length, problems.length)}
              </p>
              <ul>
                {problems.slice(0, MOST_ERRORS).map(({ line, text }) => (
                  <li key={line} class="wrong small">
                    {texts.lineProblem(line, text)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      ) : (
        <>
          <progress aria-label={texts.progress} value={results.length} max={total} />
          <p role="status">
            {phase === 'import'
              ? texts.created(results.length - failed.length, failed.length, total)
              : texts.undone(results.length - failed.length, total)}
          </p>
          <ul>
            {failed.map(({ item, outcome }, index) => (
              <li key={index} class="wrong small">
                {typeof item === 'string' ? item : texts.lineProblem(item.line, item.name)}:{' '}
                {describeAdminError(messages, outcome as Error)}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="dialog-buttons">
        {isRunning ? null : <Button onPress={onClose}>{phase === 'check' ? general.cancel : general.close}</Button>}
        {phase === 'import' && !isRunning && created.current.length > 0 ? (
          <Button variant="danger" onPress={() => void undo()}>
            {texts.undo}
          </Button>
        ) : null}
        {phase === 'check' ? (
          <Button variant="primary" isDisabled={members.length === 0 || problems.length > 0} onPress={() => void run()}>
            {texts.importCount(members.length)}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
};
