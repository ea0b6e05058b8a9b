interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Filters a list. */
export const SearchField = ({ label, value, onChange }: SearchFieldProps) => (
  <input
    type="search"
    class="filter"
    aria-label={label}
    placeholder={label}
    value={value}
    onInput={event => onChange(event.currentTarget.value)}
  />
);
