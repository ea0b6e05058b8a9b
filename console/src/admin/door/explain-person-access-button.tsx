import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { questionIcon } from '../../design/icons.ts';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { useDebouncedValue } from '../components/use-debounced-value.ts';
import { useMessages } from '../messages/language.ts';
import { AccessExplanationDialog } from '../access-explanation/access-explanation-dialog.tsx';

const MOST_RESULTS = 6;
const DEBOUNCE_MS = 150;

interface ChoosePersonProps {
  readonly onChoose: (member: MemberResponse) => void;
  readonly onClose: () => void;
}

const ChoosePerson = ({ onChoose, onClose }: ChoosePersonProps) => {
  const { door, general, members } = useMessages();
  const [text, setText] = useState('');
  const search = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const { items } = usePagedApiList<MemberResponse>('member', '/members', { search, limit: MOST_RESULTS });
  return (
    <Dialog label={door.checkPerson} onClose={onClose}>
      <h2>{door.checkPerson}</h2>
      <FormField id="why-person" label={members.search} hint={door.checkPersonHint}>
        {field => (
          <input
            {...field}
            type="search"
            autocomplete="off"
            value={text}
            onInput={event => setText(event.currentTarget.value)}
          />
        )}
      </FormField>
      <ul class="entry-list">
        {items.map(member => (
          <li key={member.id}>
            <Button variant="plain" onPress={() => onChoose(member)}>
              {member.name === '' ? members.unnamed : member.name}
            </Button>
          </li>
        ))}
      </ul>
      {items.length === 0 ? <p class="quiet">{members.noMatchTitle}</p> : null}
      <Button onPress={onClose}>{general.cancel}</Button>
    </Dialog>
  );
};

/** Explains for any person whether and why the door opens. */
export const ExplainPersonAccessButton = ({ door }: { readonly door: GadgetResponse }) => {
  const texts = useMessages();
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<MemberResponse | null>(null);
  const name = chosen === null || chosen.name === '' ? texts.members.unnamed : chosen.name;
  return (
    <>
      <Button icon={questionIcon} onPress={() => setChoosing(true)}>
        {texts.door.checkPerson}
      </Button>
      {isChoosing ? (
        <ChoosePerson
          onClose={() => setChoosing(false)}
          onChoose={member => {
            setChoosing(false);
            setChosen(member);
          }}
        />
      ) : null}
      {chosen === null ? null : (
        <AccessExplanationDialog
          question={{ memberId: chosen.id, memberName: name, gadgetId: door.id }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
};
