import { FormField } from '../../components/form-field.tsx';
import { formatSetupCode } from './login-input.ts';

interface CodeFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error?: string | null;
  readonly code: string;
  readonly onInput: (code: string) => void;
}

/** For a setup code or a claim code, which have the same format. */
export const SetupOrClaimCodeField = ({ id, label, hint, error = null, code, onInput }: CodeFieldProps) => (
  <FormField {...{ id, label, hint, error }}>
    {described => (
      <input
        {...described}
        class="big-code"
        name={id}
        value={code}
        placeholder="7K3M-0QXW-PT5H"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        onInput={event => onInput(formatSetupCode(event.currentTarget.value))}
      />
    )}
  </FormField>
);
