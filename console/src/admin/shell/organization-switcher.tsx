import { Icon } from '../../design/icon.tsx';
import { checkMarkIcon, chevronsIcon } from '../../design/icons.ts';
import { Logo } from '../../design/logo.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { Popover } from '../components/popover.tsx';
import { useMessages } from '../messages/language.ts';
import { buildOrganizationScreenPath } from '../router/links-and-query-parameters.ts';

/** Shows the organization; lets users of several organizations change it. */
export const OrganizationSwitcher = () => {
  const { shell } = useMessages();
  const { id, name, session } = useCurrentOrganization();
  if (session.organizations.length < 2)
    return (
      <p class="organization">
        <Logo />
        <span class="organization-name">{name}</span>
      </p>
    );
  return (
    <Popover
      label={`${shell.switchOrganization}: ${name}`}
      buttonClass="organization"
      button={
        <>
          <Logo />
          <span class="organization-name">{name}</span>
          <Icon shape={chevronsIcon} />
        </>
      }
    >
      {close => (
        <ul class="menu-list">
          {session.organizations.map(organization => (
            <li key={organization.id}>
              <a
                href={buildOrganizationScreenPath(organization.id)}
                aria-current={organization.id === id ? 'true' : undefined}
                onClick={close}
              >
                <span>
                  {organization.name}
                  <small class="quiet">{shell.roles[organization.role] ?? organization.role}</small>
                </span>
                {organization.id === id ? <Icon shape={checkMarkIcon} /> : null}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
};
