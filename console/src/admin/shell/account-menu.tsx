import { useState } from 'preact/hooks';
import { Button, SegmentedControl } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { exitIcon, keyIcon, personIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { Popover } from '../components/popover.tsx';
import { type LanguageCode, languageNames, languages, useLanguage } from '../messages/language.ts';
import { storeAndApplyTheme, readStoredTheme, type Theme, themes } from './theme.ts';

const signOut = async (csrfToken: string): Promise<void> => {
  await fetch('/logout', { method: 'POST', body: new URLSearchParams({ form_token: csrfToken }) }).catch(() => null);
  window.location.assign('/login?return_to=%2F');
};

const ThemeChoice = () => {
  const { shell } = useLanguage().messages;
  const [theme, setTheme] = useState(readStoredTheme);
  return (
    <SegmentedControl<Theme>
      name="theme"
      legend={shell.theme}
      value={theme}
      options={themes.map(value => ({ value, label: shell.themes[value] }))}
      onChange={value => {
        setTheme(value);
        storeAndApplyTheme(value);
      }}
    />
  );
};

const LanguageChoice = () => {
  const { messages, code, select } = useLanguage();
  return (
    <SegmentedControl<LanguageCode>
      name="language"
      legend={messages.shell.language}
      value={code}
      options={languages.map(value => ({ value, label: languageNames[value] }))}
      onChange={select}
    />
  );
};

/** The user's account, the appearance and signing out. */
export const AccountMenu = () => {
  const { shell } = useLanguage().messages;
  const { session, role } = useCurrentOrganization();
  const { user, csrfToken } = session;
  return (
    <Popover label={shell.account} buttonClass="button plain round" button={<Icon shape={personIcon} />}>
      {() => (
        <div class="account-panel">
          <p>
            <strong>{user.email}</strong>
            <small class="quiet">{shell.roles[role] ?? role}</small>
          </p>
          <a class="button" href="/account">
            <Icon shape={keyIcon} />
            {shell.accountSettings}
          </a>
          <p class="label" aria-hidden="true">
            {shell.language}
          </p>
          <LanguageChoice />
          <p class="label" aria-hidden="true">
            {shell.theme}
          </p>
          <ThemeChoice />
          <Button icon={exitIcon} onPress={() => void signOut(csrfToken)}>
            {shell.signOut}
          </Button>
        </div>
      )}
    </Popover>
  );
};
