import type { Person } from '@lintel/wire-protocol/simulator/world';

const initials = (name: string): string =>
  name
    .split(' ')
    .map(word => word.charAt(0))
    .join('');

interface PeopleProps {
  readonly people: readonly Person[];
  readonly who: Person;
  readonly choose: (person: string) => void;
}

/** Everybody who has something to do here; one of them is you. */
export const People = ({ people, who, choose }: PeopleProps) => (
  <fieldset class="people card">
    <legend class="unseen">Who you are</legend>
    {people.map(({ key, name, about }) => (
      <label key={key} class="person">
        <input type="radio" name="person" checked={key === who.key} onChange={() => choose(key)} />
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
