import { FormField } from '../../components/form-field.tsx';
import { QrCodeScanButton } from './qr-code-scan-button.tsx';

interface ScanFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error: string | null;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** For a ticket or a pass that is pasted or scanned. */
export const TicketOrPassField = ({ id, label, hint, error, value, onInput }: ScanFieldProps) => (
  <>
    <FormField {...{ id, label, hint, error }}>
      {described => (
        <textarea
          {...described}
          rows={3}
          value={value}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          onInput={event => onInput(event.currentTarget.value)}
        />
      )}
    </FormField>
    <QrCodeScanButton onScan={onInput} />
  </>
);
