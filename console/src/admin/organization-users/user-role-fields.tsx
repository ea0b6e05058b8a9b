import type { Role } from '@lintel/wire-protocol/admin/role';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useSites } from '../api/resource-hooks.ts';
import { CheckboxList } from '../components/checkbox-list.tsx';
import { useMessages } from '../messages/language.ts';

const roles: readonly Role[] = ['owner', 'administrator', 'front_desk', 'viewer', 'technician'];

interface RoleFieldsProps {
  readonly role: string;
  readonly siteIds: readonly string[];
  readonly onChange: (role: string, siteIds: readonly string[]) => void;
}

/** The role with a description of what it permits, and the sites of a technician. */
export const UserRoleFields = ({ role, siteIds, onChange }: RoleFieldsProps) => {
  const { people, shell } = useMessages();
  const { role: ownRole } = useCurrentOrganization();
  const { data: sites = [] } = useSites();
  // Only owners add owners.
  const offered = roles.filter(name => name !== 'owner' || ownRole === 'owner');
  return (
    <>
      <fieldset class="choices">
        <legend>{people.role}</legend>
        {offered.map(name => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="role"
              value={name}
              checked={role === name}
              onChange={() => onChange(name, name === 'technician' ? siteIds : [])}
            />
            <span>
              {shell.roles[name]}
              <small class="quiet">{people.roleTexts[name]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {role === 'technician' ? (
        <CheckboxList
          label={people.sites}
          options={sites}
          selected={siteIds}
          onChange={selected => onChange(role, selected)}
        />
      ) : null}
    </>
  );
};
