import type { FirstRunResponse } from '@lintel/wire-protocol/admin/first-run';
import { useEffect, useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { SegmentedControl } from '../../design/controls.tsx';
import { Logo } from '../../design/logo.tsx';
import { ApiRequestError, sendBridgeRequest } from '../api/send-request.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { useSubmission } from '../components/use-submission.ts';
import { LanguageProvider, type LoadedLanguage } from '../messages/language-provider.tsx';
import { type LanguageCode, languageNames, languages, useLanguage } from '../messages/language.ts';
import { buildOrganizationScreenPath } from '../router/links-and-query-parameters.ts';

/** As the bridge requires. It also refuses common passwords. */
const MIN_PASSWORD_LENGTH = 12;

/** The code of the link. Removes it from the address, so that it is neither in the history nor in a bookmark. */
const takeCodeFromAddress = (): string => {
  const code = decodeURIComponent(window.location.hash.slice(1));
  if (code !== '') window.history.replaceState(null, '', window.location.pathname);
  return code;
};

type Field = 'code' | 'email' | 'password';

/** The field that an error is about; null if it is about none of them. */
const fieldOf = (error: Error | null): Field | null => {
  if (!(error instanceof ApiRequestError)) return null;
  if (error.type === 'forbidden') return 'code';
  const { field } = error.args;
  return field === 'email' || field === 'password' ? field : null;
};

const FirstRunForm = () => {
  const { messages } = useLanguage();
  const { start } = messages;
  const [linkCode] = useState(takeCodeFromAddress);
  const [code, setCode] = useState(linkCode);
  const [organization, setOrganization] = useState('');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isPasswordShown, setPasswordShown] = useState(false);
  const { isBusy, error, submit } = useSubmission();
  const wrongField = fieldOf(error);
  const missing = [
    ...(code.trim() === '' ? [start.missing.code] : []),
    ...(organization.trim() === '' ? [start.missing.organization] : []),
    ...(name.trim() === '' ? [start.missing.name] : []),
    ...(email.trim() === '' ? [start.missing.email] : []),
    ...(password.length < MIN_PASSWORD_LENGTH ? [start.missing.password(MIN_PASSWORD_LENGTH - password.length)] : []),
  ];
  const create = (): Promise<void> =>
    submit(async () => {
      const body = { code, email: email.trim(), password, organization_name: organization.trim(), name: name.trim() };
      const { organization_id } = await sendBridgeRequest<FirstRunResponse>('POST', '/setup', body);
      window.location.assign(buildOrganizationScreenPath(organization_id, '/start'));
    });
  const generalProblem = (failure: Error): string => {
    const type = failure instanceof ApiRequestError ? failure.type : '';
    if (type === 'not_found') return start.alreadyDone;
    return type === 'rate_limited' ? start.tooManyAttempts : describeAdminError(messages, failure);
  };
  return (
    <Form
      isDisabled={missing.length > 0 || isBusy}
      onSubmit={() => void create()}
      submitLabel={isBusy ? start.creating : start.create}
    >
      {linkCode !== '' && wrongField !== 'code' ? (
        <p class="quiet small">{start.codeFound}</p>
      ) : (
        <FormField
          id="code"
          label={start.code}
          hint={start.codeHint}
          error={wrongField === 'code' ? start.codeWrong : null}
        >
          {field => (
            <input
              {...field}
              class="big-code"
              value={code}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              onInput={event => setCode(event.currentTarget.value)}
            />
          )}
        </FormField>
      )}
      <FormField id="organization" label={start.organization} hint={start.organizationHint}>
        {field => (
          <input
            {...field}
            value={organization}
            maxLength={200}
            autocomplete="organization"
            onInput={event => setOrganization(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField id="person" label={start.name} hint={start.nameHint}>
        {field => (
          <input
            {...field}
            value={name}
            maxLength={200}
            autocomplete="name"
            onInput={event => setName(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField id="email" label={start.email} error={wrongField === 'email' ? start.emailWrong : null}>
        {field => (
          <input
            {...field}
            type="email"
            value={email}
            autocomplete="username"
            onInput={event => setEmail(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField
        id="password"
        label={start.password}
        hint={start.passwordHint}
        error={wrongField === 'password' ? start.passwordWrong : null}
      >
        {field => (
          <input
            {...field}
            {...(isPasswordShown ? { type: 'text' as const } : { type: 'password' as const })}
            spellcheck={false}
            autocapitalize="none"
            value={password}
            autocomplete="new-password"
            onInput={event => setPassword(event.currentTarget.value)}
          />
        )}
      </FormField>
      <label class="choice">
        <input
          type="checkbox"
          checked={isPasswordShown}
          onChange={event => setPasswordShown(event.currentTarget.checked)}
        />
        {start.showPassword}
      </label>
      {missing.length === 0 ? null : (
        <p class="quiet small" role="status">
          {missing.join(' ')}
        </p>
      )}
      <div role="alert">
        {error === null || wrongField !== null ? null : (
          <p class="wrong">
            {generalProblem(error)}{' '}
            {error instanceof ApiRequestError && error.type === 'not_found' ? (
              <a href="/login">{start.signIn}</a>
            ) : null}
          </p>
        )}
      </div>
    </Form>
  );
};

const FirstRunPage = () => {
  const { messages, code: language, select } = useLanguage();
  const { start } = messages;
  useEffect(() => {
    document.title = start.welcome;
  }, [start]);
  return (
    <main class="first-run">
      <section class="card panel">
        <Logo />
        <h1>{start.welcome}</h1>
        <p class="quiet">{start.welcomeText}</p>
        <FirstRunForm />
      </section>
      <SegmentedControl<LanguageCode>
        name="language"
        legend={start.language}
        value={language}
        options={languages.map(value => ({ value, label: languageNames[value] }))}
        onChange={select}
      />
    </main>
  );
};

/** Creates the first account of an empty bridge. */
export const FirstRunApp = ({ initial }: { readonly initial: LoadedLanguage }) => (
  <LanguageProvider initial={initial}>
    <FirstRunPage />
  </LanguageProvider>
);
