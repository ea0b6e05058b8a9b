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
import { useDoorEvents } from './use-door-events.ts';
import { DialogButtons } from '../components/dialog-buttons.tsx';

const MOST_RESULTS = 6;
const DEBOUNCE_MS = 150;

type Person = Pick<MemberResponse, 'id' | 'name'>;

const MOST_DENIED = 5;

/** The people whom the door denied last. */
const useDeniedPeople = (gadgetId: string): readonly Person[] => {
  const people = useDoorEvents(gadgetId, 'deny').flatMap(({ subject, subject_member }) =>
    subject.member_id == null || subject_member == null ? [] : [[subject.member_id, subject_member.name] as const],
  );
  return [...new Map(people)].slice(0, MOST_DENIED).map(([id, name]) => ({ id, name }));
};

interface PersonListProps {
  readonly label: string;
  readonly people: readonly Person[];
  readonly onChoose: (member: Person) => void;
}

const PersonList = ({ label, people, onChoose }: PersonListProps) => {
  const { members } = useMessages();
  return (
    <ul class="entry-list" aria-label={label}>
      {people.map(person => (
        <li key={person.id}>
          <Button variant="plain" onPress={() => onChoose(person)}>
            {person.name === '' ? members.unnamed : person.name}
          </Button>
        </li>
      ))}
    </ul>
  );
};

interface ChoosePersonProps {
  readonly denied: readonly Person[];
  readonly onChoose: (member: Person) => void;
  readonly onClose: () => void;
}

const ChoosePerson = ({ denied, onChoose, onClose }: ChoosePersonProps) => {
  const { door, members } = useMessages();
  const [text, setText] = useState('');
  const search = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const { items } = usePagedApiList<MemberResponse>('member', '/members', { search, limit: MOST_RESULTS });
  const others = search === '' ? items.filter(({ id }) => !denied.some(person => person.id === id)) : items;
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
      {search === '' && denied.length > 0 ? (
        <>
          <h3>{door.recentlyDenied}</h3>
          <PersonList label={door.recentlyDenied} people={denied} onChoose={onChoose} />
          <h3>{door.everyone}</h3>
        </>
      ) : null}
      <PersonList label={door.everyone} people={others} onChoose={onChoose} />
      {items.length === 0 ? <p class="quiet">{members.noMatchTitle}</p> : null}
      <DialogButtons label="cancel" onClose={onClose} />
    </Dialog>
  );
};

/** Explains for any person whether and why the door opens. */
export const ExplainPersonAccessButton = ({ door }: { readonly door: GadgetResponse }) => {
  const texts = useMessages();
  const denied = useDeniedPeople(door.id);
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<Person | null>(null);
  const name = chosen === null || chosen.name === '' ? texts.members.unnamed : chosen.name;
  return (
    <>
      <Button icon={questionIcon} onPress={() => setChoosing(true)}>
        {texts.door.checkPerson}
      </Button>
      {isChoosing ? (
        <ChoosePerson
          denied={denied}
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
