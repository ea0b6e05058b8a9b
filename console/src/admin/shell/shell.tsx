import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { LiveEventsProvider } from '../api/live-events.tsx';
import { useMessages } from '../messages/language.ts';
import type { ScreenRoute } from '../router/screen-route-type.ts';
import { AccountMenu } from './account-menu.tsx';
import { EventStreamInterruptedNotice } from './event-stream-interrupted-notice.tsx';
import { BottomNavigation, SideNavigation } from './navigation.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { GlobalSearch } from './global-search.tsx';

interface AdminShellProps {
  readonly routes: readonly ScreenRoute[];
  readonly children: ComponentChildren;
}

/** Navigation, search and account around each screen. Moves the focus to the content when the page changes. */
export const AdminShell = ({ routes, children }: AdminShellProps) => {
  const { shell } = useMessages();
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return (
    <LiveEventsProvider>
      <a
        class="skip-link"
        href="#content"
        onClick={event => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {shell.skipToContent}
      </a>
      <div class="shell">
        <header class="top-bar">
          <OrganizationSwitcher />
          <GlobalSearch />
          <EventStreamInterruptedNotice />
          <AccountMenu />
        </header>
        <SideNavigation routes={routes} />
        <main id="content" ref={main} tabIndex={-1}>
          {children}
        </main>
        <BottomNavigation routes={routes} />
      </div>
    </LiveEventsProvider>
  );
};
