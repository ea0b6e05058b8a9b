import type { ImportCardStockResponse } from '@lintel/wire-protocol/admin/card-stock';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';

const MOST_ERRORS = 20;

interface ImportCardsProps {
  readonly onImported: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Imports delivered cards from a CSV file, after a check that shows every wrong line. */
export const ImportCardsDialog = ({ onImported, onClose }: ImportCardsProps) => {
  const messages = useMessages();
  const { cards: texts } = messages;
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const [csv, setCsv] = useState('');
  const [check, setCheck] = useState<ImportCardStockResponse | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | undefined): Promise<void> => {
    setCheck(null);
    setProblem(null);
    if (file === undefined) return;
    try {
      const content = await file.text();
      setCheck(await client.post<ImportCardStockResponse>('/card_stock', { csv: content, dry_run: true }));
      setCsv(content);
    } catch (error) {
      setProblem(describeAdminError(messages, error as Error));
    }
  };
  const save = async (): Promise<void> => {
    const { imported } = await client.post<ImportCardStockResponse>('/card_stock', { csv });
    await onImported();
    notices.show(texts.imported(imported));
  };
  const errors = check?.errors ?? [];
  return (
    <FormDialog
      title={texts.import}
      submitLabel={check === null ? texts.import : texts.importCount(check.imported)}
      isDisabled={check === null || errors.length > 0 || check.imported === 0}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField id="card-file" label={texts.file} hint={texts.fileHint} error={problem}>
        {field => (
          <input
            {...field}
            type="file"
            accept=".csv,text/csv"
            onChange={event => void choose(event.currentTarget.files?.[0])}
          />
        )}
      </FormField>
      {check === null ? null : (
        <div class="checks" role="status">
          <p class="check">
            <StatusIcon level={errors.length === 0 ? 'ok' : 'error'} />
            {texts.checked(check.imported, check.known, errors.length)}
          </p>
          <ul>
            {errors.slice(0, MOST_ERRORS).map(({ line, message }) => (
              <li key={line} class="wrong small">
                {texts.lineError(line, message)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
};
