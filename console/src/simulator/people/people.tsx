import type { DemoPerson } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';

const initials = (name: string): string =>
  name
    .split(' ')
    .map(word => word.charAt(0))
    .join('');

interface PeopleProps {
  readonly people: readonly DemoPerson[];
  readonly selected: DemoPerson;
  readonly onSelect: (person: string) => void;
}

export const PeoplePanel = ({ people, selected, onSelect }: PeopleProps) => (
  <fieldset class="people card">
    <legend class="unseen">Person</legend>
    {people.map(({ key, name, about }) => (
      <label key={key} class="person">
        <input type="radio" name="person" checked={key === selected.key} onChange={() => onSelect(key)} />
        <span class="face" aria-hidden="true">
          {initials(name)}
        </span>
        <span class="who">
          <span class="name">{name}</span>
          <span class="about">{about}</span>
        </span>
      </label>
    ))}
  </fieldset>
);
