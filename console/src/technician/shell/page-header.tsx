import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { Icon } from '../../design/icon.tsx';
import { Logo } from '../../design/logo.tsx';
import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import * as shellMessages from '../messages/english/shell.ts';

export const TechnicianPageHeader = ({ name }: { readonly name: string }) => {
  const linkState = useObservableValue(controllerSession.linkState);
  const { status } = useObservableValue(controllerSession.loginState);
  const { kind, isRemote } = controllerSession.endpoint;
  const isLoggedIn = status === 'logged_in';
  return (
    <header class="page-header">
      <Logo />
      <p class="controller-name">{name}</p>
      {isLoggedIn && kind !== 'device_list' ? (
        <p
          class="link"
          role="status"
          data-link={linkState === 'full' || linkState === 'forbidden' ? 'live' : linkState}
        >
          <span>{shellMessages.connectionStateNames[linkState]}</span>
        </p>
      ) : null}
      {isRemote ? <p class="badge">{shellMessages.remoteSessionBadge}</p> : null}
      {isLoggedIn ? (
        <span class="tools">
          {kind === 'remote' ? (
            <a class="button plain" href="/technician" aria-label={shellMessages.allControllersLink}>
              <Icon shape={icons.listIcon} />
            </a>
          ) : null}
          <Button
            variant="plain"
            icon={icons.exitIcon}
            label={shellMessages.signOutButton}
            onPress={() => void controllerSession.logout()}
          />
        </span>
      ) : null}
    </header>
  );
};
