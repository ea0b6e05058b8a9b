import { useState } from 'preact/hooks';
import { SegmentedControl } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { TextField } from '../components/form-fields.tsx';
import { useMessages } from '../messages/language.ts';
import { parseCardText } from './parse-card-text.ts';
import { ReadCardUidField } from './read-card-uid-field.tsx';

/** A card by its number or by holding it at a reader. Null while no card is chosen. */
export const CardInput = ({ onChange }: { readonly onChange: (body: object | null) => void }) => {
  const { member: texts, cards } = useMessages();
  const { allows } = useCurrentOrganization();
  const [mode, setMode] = useState<'number' | 'tap'>('number');
  const [text, setText] = useState('');
  const change = (changed: string): void => {
    setText(changed);
    onChange(changed.trim() === '' ? null : parseCardText(changed));
  };
  return (
    <>
      {allows('cards.write') ? (
        <SegmentedControl
          name="card-input"
          legend={texts.addCard}
          value={mode}
          options={[
            { value: 'number', label: cards.byNumber },
            { value: 'tap', label: cards.byTap },
          ]}
          onChange={setMode}
        />
      ) : null}
      {mode === 'tap' ? <ReadCardUidField onCard={change} /> : null}
      {mode === 'number' || text !== '' ? (
        <TextField id="card-number" label={texts.cardNumber} value={text} onChange={change} />
      ) : null}
    </>
  );
};
