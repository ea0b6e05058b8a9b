import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { Logo } from '../../design/logo.tsx';
import { useStore } from '../api/store.ts';
import { session } from '../api/use-session.ts';
import * as shellMessages from '../messages/english/shell.ts';

export const PageHeader = ({ name }: { readonly name: string }) => {
  const linkState = useStore(session.linkState);
  const { status } = useStore(session.loginState);
  const { kind, isRemote } = session.endpoint;
  const isLoggedIn = status === 'logged_in';
  return (
    <header class="page-header">
      <Logo />
      <p class="controller-name">{name}</p>
      {isLoggedIn && kind !== 'device_list' ? (
        <p class="link" role="status" data-link={linkState === 'full' ? 'live' : linkState}>
          <span>{shellMessages.link[linkState]}</span>
        </p>
      ) : null}
      {isRemote ? <p class="badge">{shellMessages.remote}</p> : null}
      {isLoggedIn && !isRemote ? (
        <span class="tools">
          <Button
            variant="plain"
            icon={icons.exit}
            label={shellMessages.logout}
            onPress={() => void session.logout()}
          />
        </span>
      ) : null}
    </header>
  );
};
