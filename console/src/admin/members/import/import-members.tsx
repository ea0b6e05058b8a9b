import type { ImportMembersResponse } from '@lintel/wire-protocol/admin/member-import';
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../../components/dialog.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { StatusIcon } from '../../../components/status-icon.tsx';
import { Button, SegmentedControl } from '../../../design/controls.tsx';
import { downloadIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { ApiRequestError } from '../../api/send-request.ts';
import { describeAdminError } from '../../components/describe-admin-error.ts';
import { GroupedSelectField } from '../../components/grouped-select-field.tsx';
import { type CsvContent, parseCsv } from '../../csv/parse-csv.ts';
import { useUnsavedInput } from '../../components/unsaved-input.tsx';
import { useMemberGroups } from '../../groups/member-group-hooks.ts';
import type { AdminMessages } from '../../messages/en.ts';
import { useLanguage, useMessages } from '../../messages/language.ts';
import { CHECK_IN_HOUR, CHECK_OUT_HOUR } from '../../stay/check-in-and-out.ts';
import { computeDateTimeLocalValue, parseDateTimeLocalValue } from '../../time/date-time-local-value.ts';
import { type SiteTimeFormats, useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { runInBulk, waitBeforeBulkRetry } from '../bulk/run-bulk.ts';
import { type ImportedPerson, saveImportTemplate, saveOtherLines } from './import-files.ts';
import {
  findOrderOfRows,
  guessMemberImportColumns,
  type ImportProblem,
  isProblem,
  type MemberImportColumnMapping,
  memberImportFields,
  type MemberToImport,
  planMemberImport,
  type PlannedLine,
} from './import-plan.ts';
import { ImportPreview, type PreviewLine } from './import-preview.tsx';
import { ImportResult } from './import-result.tsx';
import { type DateOrder, dateOrderOf } from './imported-date.ts';
import { IMPORT_PATH, IMPORT_TIMEOUT_MS, type ImportCheck, splitImport, useImportCheck } from './use-import-check.ts';

const PIN_LENGTH = 6;
const noFile: CsvContent = { rows: [], error: null };

interface ColumnFieldsProps {
  readonly header: readonly string[];
  readonly columns: MemberImportColumnMapping;
  readonly onChange: (columns: MemberImportColumnMapping) => void;
}

/** Which column of the file is which field. */
const ColumnFields = ({ header, columns, onChange }: ColumnFieldsProps) => {
  const { memberImport: texts } = useMessages();
  const options = [
    { id: '', name: texts.noColumn },
    ...header.map((name, index) => ({ id: String(index), name: name === '' ? String(index + 1) : name })),
  ];
  return (
    <div class="field-pair" role="group" aria-label={texts.columns}>
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

interface DateOrderFieldProps {
  readonly order: DateOrder;
  readonly onChange: (order: DateOrder) => void;
}

/** Only if the dates of the file do not tell which number is the day. */
const DateOrderField = ({ order, onChange }: DateOrderFieldProps) => {
  const { locale, messages } = useLanguage();
  const { memberImport: texts } = messages;
  const inWords = (day: string): string =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(day));
  return (
    <div class="mark">
      <p>
        <strong>{texts.dateOrder('03/04')}</strong> {texts.dateOrderHint}
      </p>
      <SegmentedControl<DateOrder>
        name="date-order"
        legend={texts.dateOrder('03/04')}
        value={order}
        options={[
          { value: 'day-first', label: inWords('2026-04-03') },
          { value: 'month-first', label: inWords('2026-03-04') },
        ]}
        onChange={onChange}
      />
    </div>
  );
};

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

const Checkbox = ({ label, isChecked, onChange }: CheckboxProps) => (
  <label class="choice">
    <input type="checkbox" checked={isChecked} onChange={event => onChange(event.currentTarget.checked)} />
    {label}
  </label>
);

const describeProblem = ({ memberImport: texts }: AdminMessages, { problem, text }: ImportProblem): string =>
  texts.problems[problem](text);

/** Joins what the file and the bridge say about each line. */
const describeLines = (
  lines: readonly PlannedLine[],
  check: ImportCheck | null,
  leavesOutDuplicates: boolean,
  messages: AdminMessages,
): readonly PreviewLine[] => {
  const { memberImport: texts } = messages;
  const errors = new Map(check?.errors.map(error => [error.line, error]));
  const duplicates = new Map(check?.duplicates.map(one => [one.line, one]));
  return lines.map(one => {
    const found = duplicates.get(one.line);
    const duplicate =
      found === undefined
        ? null
        : found.earlier_line === null
          ? texts.duplicate[found.field](found.text)
          : texts.duplicateOfLine(found.earlier_line);
    const problem = isProblem(one.planned) ? one.planned : (errors.get(one.line) ?? null);
    const reason = problem === null ? (leavesOutDuplicates ? duplicate : null) : describeProblem(messages, problem);
    return { ...one, reason, duplicate };
  });
};

const describeImportError = (messages: AdminMessages, error: Error): string => {
  const { line, problem } = error instanceof ApiRequestError ? error.args : {};
  const { memberImport: texts } = messages;
  if (line === undefined || !Object.hasOwn(texts.problems, problem ?? '')) return describeAdminError(messages, error);
  const describe = texts.problems[problem as keyof typeof texts.problems];
  return `${texts.lineProblem(Number(line), describe(''))}.`;
};

const hourText = ({ formatTime, zone }: SiteTimeFormats, hour: number): string =>
  formatTime(parseDateTimeLocalValue(computeDateTimeLocalValue(Date.now(), zone, 0, hour), zone)!);

/** A file that the user has chosen, and how its lines are read. */
const useImportedFile = () => {
  const { locale } = useLanguage();
  const { zone } = useSiteTimeFormats();
  const { data: groups = [] } = useMemberGroups();
  const [isUnreadable, setUnreadable] = useState(false);
  const [{ rows, error }, setFile] = useState(noFile);
  const [columns, setColumns] = useState<MemberImportColumnMapping>(guessMemberImportColumns([]));
  const [chosenOrder, setChosenOrder] = useState<DateOrder | null>(null);
  const [header, ...dataRows] = rows;
  const foundOrder = findOrderOfRows(dataRows, columns);
  const isAmbiguous = foundOrder === 'unknown';
  const order = foundOrder === 'unknown' || foundOrder === null ? (chosenOrder ?? dateOrderOf(locale)) : foundOrder;
  const choose = async (file: File | undefined): Promise<void> => {
    // A file that was moved or changed since it was chosen cannot be read.
    const text = await file?.text().catch(() => null);
    const read = text == null ? noFile : parseCsv(text);
    setUnreadable(text === null);
    setFile(read);
    setChosenOrder(null);
    setColumns(guessMemberImportColumns(read.rows[0]?.cells ?? []));
  };
  const lines = planMemberImport(dataRows, columns, { groups, zone, order });
  return {
    header: header?.cells,
    error,
    isUnreadable,
    columns,
    setColumns,
    isAmbiguous,
    order,
    setChosenOrder,
    choose,
    lines,
    exampleGroup: groups[0]?.name,
  };
};

type Phase = 'check' | 'import' | 'done' | 'undo' | 'undone';

interface ImportMembersProps {
  readonly onClose: () => void;
}

/** Creates members from a CSV file: columns, preview of every line, credentials, result, and undo. */
export const ImportMembersDialog = ({ onClose }: ImportMembersProps) => {
  const language = useLanguage();
  const { messages } = language;
  const { memberImport: texts, general, bulk } = messages;
  const { id, client } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const file = useImportedFile();
  const [hasPins, setPins] = useState(true);
  const [hasLinks, setLinks] = useState(false);
  const [leavesOutDuplicates, setLeaveOut] = useState(true);
  const [phase, setPhase] = useState<Phase>('check');
  const [people, setPeople] = useState<readonly ImportedPerson[]>([]);
  const [deleted, setDeleted] = useState(0);
  const [failure, setFailure] = useState<Error | null>(null);
  const key = useRef({ content: '', value: '' });
  const readable = file.lines.flatMap(({ planned }) => (isProblem(planned) ? [] : [planned]));
  const { check, error: checkError } = useImportCheck(readable);
  const lines = describeLines(file.lines, check, leavesOutDuplicates, messages);
  const members = lines.flatMap(({ planned, reason }) => (reason === null && !isProblem(planned) ? [planned] : []));
  const others = lines.flatMap(({ cells, reason }) => (reason === null ? [] : [{ cells, reason }]));
  const duplicateCount = lines.filter(({ duplicate }) => duplicate !== null).length;
  const wrongCount = leavesOutDuplicates ? others.length - duplicateCount : others.length;
  const reload = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: [id, 'member'] });

  /** The same for the same import, so that it is not done twice after a lost connection. */
  const keyOf = (content: string): string => {
    if (key.current.content !== content) key.current = { content, value: crypto.randomUUID() };
    return key.current.value;
  };
  const describeDates = (...dates: readonly (string | null)[]): string =>
    dates.every(date => date === null)
      ? texts.noLimit
      : dates.map(date => (date === null ? '…' : time.formatDateTime(date))).join(' – ');
  const toPeople = (part: readonly MemberToImport[], { members: created }: ImportMembersResponse): ImportedPerson[] =>
    created.map(one => {
      const { starts_at, ends_at } = part.find(({ line }) => line === one.line)!;
      const { name, groupNames } = file.lines.find(({ line }) => line === one.line)!;
      return { ...one, name, groupNames, validity: describeDates(starts_at, ends_at) };
    });
  const run = async (): Promise<void> => {
    setPhase('import');
    setFailure(null);
    const created = [...people];
    try {
      const done = new Set(created.map(({ line }) => line));
      for (const part of splitImport(members.filter(({ line }) => !done.has(line)))) {
        const body = { members: part, pin_length: hasPins ? PIN_LENGTH : null, magic_links: hasLinks };
        const response = await client.postOnce<ImportMembersResponse>(
          IMPORT_PATH,
          body,
          keyOf(JSON.stringify(body)),
          IMPORT_TIMEOUT_MS,
        );
        created.push(...toPeople(part, response));
        setPeople([...created]);
      }
      setPhase('done');
    } catch (error) {
      setFailure(error as Error);
      setPhase(created.length === 0 ? 'check' : 'done');
    }
    await reload();
  };
  const undo = async (): Promise<void> => {
    setPhase('undo');
    setFailure(null);
    const work = async ({ member_id }: ImportedPerson): Promise<'done'> => {
      await client.delete(`/members/${member_id}`);
      return 'done';
    };
    const countDone = (results: readonly { readonly outcome: unknown }[]): void =>
      setDeleted(results.filter(({ outcome }) => outcome === 'done').length);
    await runInBulk({ items: people, work, onProgress: countDone, wait: waitBeforeBulkRetry });
    await reload();
    setPhase('undone');
  };
  const isRunning = phase === 'import' || phase === 'undo';
  useUnsavedInput(isRunning);
  const hasSecrets = phase === 'done' && people.some(({ pin, link }) => pin !== null || link !== null);
  return (
    <Dialog label={bulk.import} onClose={isRunning || hasSecrets ? null : onClose}>
      <div class="import">
        <h2>{bulk.import}</h2>
        {phase !== 'check' ? null : (
          <>
            <FormField
              id="import-file"
              label={texts.file}
              hint={texts.fileHint}
              error={file.isUnreadable ? texts.unreadable : null}
            >
              {field => (
                <input
                  {...field}
                  type="file"
                  accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
                  onChange={event => void file.choose(event.currentTarget.files?.[0])}
                />
              )}
            </FormField>
            <p class="quiet small">
              {texts.datesHint(hourText(time, CHECK_IN_HOUR), hourText(time, CHECK_OUT_HOUR), time.zone)}
            </p>
            {file.header === undefined && file.error === null ? (
              <div class="bar">
                <Button icon={downloadIcon} onPress={() => saveImportTemplate(language, Date.now(), file.exampleGroup)}>
                  {texts.template}
                </Button>
              </div>
            ) : null}
            {file.header === undefined ? null : (
              <>
                <ColumnFields header={file.header} columns={file.columns} onChange={file.setColumns} />
                {file.isAmbiguous ? <DateOrderField order={file.order} onChange={file.setChosenOrder} /> : null}
                <fieldset class="check-list">
                  <legend class="unseen">{texts.credentials}</legend>
                  <Checkbox label={texts.pins} isChecked={hasPins} onChange={setPins} />
                  <Checkbox label={texts.links} isChecked={hasLinks} onChange={setLinks} />
                  {hasPins || hasLinks ? null : <p class="quiet small">{texts.noCredentials}</p>}
                </fieldset>
                <div role="status">
                  <p class="check">
                    <StatusIcon level={check === null ? 'neutral' : members.length === 0 ? 'error' : 'ok'} />
                    {check === null && checkError === null ? texts.checking : texts.ready(members.length)}
                  </p>
                  {wrongCount === 0 ? null : (
                    <p class="check">
                      <StatusIcon level="error" />
                      {texts.wrong(wrongCount)}
                    </p>
                  )}
                  {duplicateCount === 0 ? null : (
                    <p class="check">
                      <StatusIcon level="warning" />
                      {texts.duplicates(duplicateCount)}
                    </p>
                  )}
                </div>
                {duplicateCount === 0 ? null : (
                  <Checkbox label={texts.leaveOutDuplicates} isChecked={leavesOutDuplicates} onChange={setLeaveOut} />
                )}
              </>
            )}
            {file.error === null ? null : (
              <p class="wrong" role="alert">
                {texts.lineProblem(file.error.line, texts.fileProblems[file.error.problem])}
              </p>
            )}
            {checkError === null ? null : (
              <p class="wrong" role="alert">
                {describeAdminError(messages, checkError)}
              </p>
            )}
            {lines.length === 0 ? null : <ImportPreview lines={lines} />}
            {others.length === 0 || check === null ? null : (
              <div class="bar">
                <Button icon={downloadIcon} onPress={() => saveOtherLines(file.header ?? [], others, language)}>
                  {texts.saveOthers(others.length)}
                </Button>
              </div>
            )}
          </>
        )}
        {phase === 'import' ? (
          <>
            <progress aria-label={texts.progress} />
            <p role="status">{texts.importing}</p>
          </>
        ) : null}
        {phase === 'done' ? (
          <>
            <p class="check" role="status">
              <StatusIcon level={failure === null ? 'ok' : 'error'} />
              {texts.created(people.length, members.length)}
            </p>
            <ImportResult people={people} />
          </>
        ) : null}
        {phase === 'undo' ? <progress aria-label={texts.progress} value={deleted} max={people.length} /> : null}
        {phase === 'undo' || phase === 'undone' ? <p role="status">{texts.undone(deleted, people.length)}</p> : null}
        {failure === null ? null : (
          <p class="wrong" role="alert">
            {texts.failed(describeImportError(messages, failure))}
          </p>
        )}
      </div>
      <div class="dialog-buttons">
        {isRunning ? null : <Button onPress={onClose}>{phase === 'check' ? general.cancel : general.close}</Button>}
        {phase === 'done' ? (
          <Button variant="danger" onPress={() => void undo()}>
            {texts.undo}
          </Button>
        ) : null}
        {phase === 'check' ? (
          <Button variant="primary" isDisabled={members.length === 0 || check === null} onPress={() => void run()}>
            {texts.importCount(members.length)}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
};
