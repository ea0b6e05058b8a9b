import { useState } from 'preact/hooks';
import { useMessages } from '../messages/language.ts';
import { matchesSearch } from './matches-search.ts';

interface CheckListProps {
  readonly label: string;
  readonly options: readonly {
    readonly id: string;
    readonly name: string;
    readonly hint?: string;
    readonly isDisabled?: boolean;
  }[];
  readonly selected: readonly string[];
  readonly onChange: (selected: readonly string[]) => void;
}

const SEARCH_FROM = 9;

/** Check boxes, with a search field when there are many. Selected options stay visible. */
export const CheckboxList = ({ label, options, selected, onChange }: CheckListProps) => {
  const { shell } = useMessages();
  const [search, setSearch] = useState('');
  if (options.length === 0) return null;
  const shown = options.filter(({ id, name }) => selected.includes(id) || matchesSearch(name, search));
  return (
    <div class="check-list" role="group" aria-label={label}>
      <p class="label">{label}</p>
      {options.length < SEARCH_FROM ? null : (
        <input
          type="search"
          aria-label={`${shell.searchPlaceholder}: ${label}`}
          placeholder={shell.searchPlaceholder}
          value={search}
          onInput={event => setSearch(event.currentTarget.value)}
        />
      )}
      <ul class="check-options">
        {shown.map(({ id, name, hint, isDisabled = false }) => (
          <li key={id}>
            <label class="choice">
              <input
                type="checkbox"
                checked={selected.includes(id)}
                disabled={isDisabled}
                onChange={event =>
                  onChange(event.currentTarget.checked ? [...selected, id] : selected.filter(one => one !== id))
                }
              />
              {hint === undefined ? (
                name
              ) : (
                <span>
                  {name}
                  <small class="quiet">{hint}</small>
                </span>
              )}
            </label>
          </li>
        ))}
      </ul>
    </div>
  );
};
