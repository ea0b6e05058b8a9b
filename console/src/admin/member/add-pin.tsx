import type { MemberPinRevealedResponse } from '@lintel/wire-protocol/rest/member-pin';
import { useState } from 'preact/hooks';
import { SegmentedControl } from '../../design/controls.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { SelectField, TextField } from '../components/form-fields.tsx';
import { useMessages } from '../messages/language.ts';

const LENGTHS = ['4', '5', '6', '7', '8'] as const;
const DIGITS = /^\d+$/;

/** The ones that people try first: one digit, two in turn, a row up or down, the middle of the keypad. */
const isEasy = (pin: string): boolean =>
  /^(\d{1,2})\1+$/.test(pin) || '01234567890 09876543210 2580 0852'.includes(pin);

interface AddPinProps {
  readonly create: (body: object) => Promise<MemberPinRevealedResponse>;
  readonly onCreated: (pin: string) => void;
  readonly onClose: () => void;
}

/** A PIN that Lintel chooses, with a number of digits, or one that the person wishes. */
export const AddPinDialog = ({ create, onCreated, onClose }: AddPinProps) => {
  const { member: texts, stay } = useMessages();
  const [kind, setKind] = useState<'random' | 'own'>('random');
  const [length, setLength] = useState<(typeof LENGTHS)[number]>('6');
  const [pin, setPin] = useState('');
  const submit = async (): Promise<void> =>
    onCreated((await create(kind === 'random' ? { length: Number(length) } : { pin })).pin);
  return (
    <FormDialog
      title={texts.addPin}
      submitLabel={texts.addPin}
      isDisabled={kind === 'own' && !DIGITS.test(pin)}
      onSubmit={submit}
      onClose={onClose}
    >
      <SegmentedControl<'random' | 'own'>
        name="pin-kind"
        legend={texts.addPin}
        value={kind}
        options={[
          { value: 'random', label: texts.randomPin },
          { value: 'own', label: texts.ownPin },
        ]}
        onChange={setKind}
      />
      {kind === 'random' ? (
        <SelectField
          id="pin-length"
          label={stay.pinLength}
          hint={stay.pinHint}
          value={length}
          options={LENGTHS.map(value => ({ value, label: value }))}
          onChange={setLength}
        />
      ) : (
        <TextField
          id="own-pin"
          label={stay.pinLabel}
          hint={pin !== '' && isEasy(pin) ? texts.easyPin : texts.ownPinHint}
          inputMode="numeric"
          value={pin}
          onChange={setPin}
        />
      )}
    </FormDialog>
  );
};
