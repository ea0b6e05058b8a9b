import { parseIdKind } from '@lintel/access-core/ids';
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { searchIcon } from '../../design/icons.ts';
import { RemovableFilter } from '../activity/activity-filters.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { buildOrganizationQueryKey, useApiObject } from '../api/resource-hooks.ts';
import { useQuery } from '../api/use-query.ts';
import { DialogButtons } from '../components/dialog-buttons.tsx';
import { matchesSearch } from '../components/matches-search.ts';
import { useDebouncedValue } from '../components/use-debounced-value.ts';
import { useMessages } from '../messages/language.ts';

const MOST_RESULTS = 8;
const DEBOUNCE_MS = 150;

/** Objects with a history, with their lists. */
const objectKinds = ['member', 'member_group', 'schedule', 'gadget', 'device', 'site'] as const;
type ObjectKind = (typeof objectKinds)[number];

interface AuditedObject {
  readonly id: string;
  readonly name: string;
  readonly is_deleted: boolean;
}

const pathOf = (kind: ObjectKind): string => `/${kind}s`;

/** Objects of a kind whose name contains the text, deleted ones last. Only members are searched by the bridge. */
const useFoundObjects = (kind: ObjectKind, text: string): readonly AuditedObject[] | undefined => {
  const { id, client } = useCurrentOrganization();
  const search = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const isMember = kind === 'member';
  const query = { is_deleted: 'any', ...(isMember ? { search, limit: MOST_RESULTS } : {}) };
  const { data } = useQuery<readonly AuditedObject[]>({
    queryKey: buildOrganizationQueryKey(id, kind, 'audited', query),
    queryFn: async () =>
      isMember
        ? (await client.list<AuditedObject>(pathOf(kind), query)).data
        : client.listAll<AuditedObject>(pathOf(kind), query),
  });
  return data
    ?.filter(({ name }) => isMember || matchesSearch(name, search))
    .toSorted((a, b) => Number(a.is_deleted) - Number(b.is_deleted))
    .slice(0, MOST_RESULTS);
};

const ChooseObjectDialog = ({
  onSelect,
  onClose,
}: {
  readonly onSelect: (id: string) => void;
  readonly onClose: () => void;
}) => {
  const { audit, members, shell } = useMessages();
  const [kind, setKind] = useState<ObjectKind>('member');
  const [text, setText] = useState('');
  const found = useFoundObjects(kind, text);
  return (
    <Dialog label={audit.filterByObject} onClose={onClose}>
      <h2>{audit.filterByObject}</h2>
      <FormField id="object-kind" label={audit.objectKind}>
        {field => (
          <select {...field} value={kind} onChange={event => setKind(event.currentTarget.value as ObjectKind)}>
            {objectKinds.map(one => (
              <option key={one} value={one}>
                {audit.objectKinds[one]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField id="object-name" label={audit.search}>
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
      <ul class="pick-list" aria-label={shell.searchResults}>
        {found?.map(({ id, name, is_deleted }) => (
          <li key={id}>
            <button type="button" class="button plain" onClick={() => onSelect(id)}>
              {name === '' ? members.unnamed : name}
              {is_deleted ? ` (${audit.deletedObject})` : ''}
            </button>
          </li>
        ))}
        {found?.length === 0 ? <li class="quiet">{audit.noObject}</li> : null}
      </ul>
      <DialogButtons label="cancel" onClose={onClose} />
    </Dialog>
  );
};

interface ObjectFilterProps {
  /** Null for all objects. */
  readonly id: string | null;
  readonly onChange: (id: string | null) => void;
}

const ChosenObject = ({
  id,
  kind,
  onRemove,
}: {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly onRemove: () => void;
}) => {
  const { audit, members } = useMessages();
  const { data } = useApiObject<AuditedObject>(kind, `${pathOf(kind)}/${id}`);
  const name = data === undefined ? '…' : data.name === '' ? members.unnamed : data.name;
  return <RemovableFilter text={audit.objectOf(audit.objectKinds[kind], name)} onRemove={onRemove} />;
};

/** Chooses the object whose changes are listed, by its type and name. */
export const ObjectFilter = ({ id, onChange }: ObjectFilterProps) => {
  const { audit } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const kind = objectKinds.find(one => id !== null && one === parseIdKind(id));
  if (id !== null && kind !== undefined) return <ChosenObject id={id} kind={kind} onRemove={() => onChange(null)} />;
  return (
    <>
      <Button icon={searchIcon} onPress={() => setOpen(true)}>
        {audit.filterByObject}
      </Button>
      {isOpen ? (
        <ChooseObjectDialog
          onSelect={chosen => {
            setOpen(false);
            onChange(chosen);
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
};
