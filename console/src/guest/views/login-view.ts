import { guestApi } from '../guest-api.ts';
import type { GuestLanguage } from '../messages/language.ts';
import { createHtmlElement, replacePageContent } from './html-elements.ts';
import { showGuestNotice } from './notice-view.ts';
import { describeGuestApiError } from '../messages/describe-denial-and-api-error.ts';

interface Field {
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly button: string;
  /** Resolves to an error message or null. */
  readonly submit: (value: string) => Promise<string | null>;
}

const createForm = ({ label, attributes, button, submit }: Field): HTMLFormElement => {
  const errorText = createHtmlElement('p', { class: 'error', id: 'error', role: 'alert' });
  const input = createHtmlElement('input', { id: 'field', required: true, 'aria-describedby': 'error', ...attributes });
  const send = createHtmlElement('button', { type: 'submit', class: 'primary' }, button);
  const form = createHtmlElement(
    'form',
    {},
    createHtmlElement('label', { for: 'field' }, label),
    input,
    errorText,
    send,
  );
  const onSubmit = async (): Promise<void> => {
    send.disabled = true;
    const error = await submit(input.value.trim());
    send.disabled = false;
    errorText.textContent = error ?? '';
    input.setAttribute('aria-invalid', String(error !== null));
    if (error !== null) input.focus();
  };
  form.addEventListener('submit', event => {
    event.preventDefault();
    void onSubmit();
  });
  return form;
};

const showForm = (title: string, text: string, form: HTMLFormElement, ...more: readonly Node[]): void => {
  replacePageContent(
    createHtmlElement(
      'div',
      { class: 'notice' },
      createHtmlElement('h1', {}, title),
      createHtmlElement('p', {}, text),
      form,
      ...more,
    ),
  );
  form.querySelector('input')?.focus();
};

/** Asks for the email address and then for the code. */
export const showGuestLogin = (language: GuestLanguage, hint: string | null, onDone: () => void): void => {
  const { messages } = language;
  const attributes = { type: 'email', autocomplete: 'email', autocapitalize: 'none', maxlength: '254' };
  const submit = async (email: string): Promise<string | null> => {
    const result = await guestApi.sendCode(email);
    if (!result.ok) return describeGuestApiError(language, result.error);
    const { login_id: loginId } = result.value;
    if (loginId === null) showLinkSent(language, email, onDone);
    else showCode(language, { email, loginId }, onDone);
    return null;
  };
  showForm(
    messages.signIn,
    hint ?? messages.signInHint,
    createForm({ label: messages.email, attributes, button: messages.sendCode, submit }),
  );
};

/** After too many codes for the address, possibly requested by a stranger. */
const showLinkSent = (language: GuestLanguage, email: string, onDone: () => void): void => {
  const { signIn, linkSent, otherAddress } = language.messages;
  const onPress = (): void => showGuestLogin(language, null, onDone);
  showGuestNotice({ title: signIn, text: linkSent(email), buttons: [{ label: otherAddress, onPress }] });
};

const showCode = (
  language: GuestLanguage,
  { email, loginId }: { readonly email: string; readonly loginId: string },
  onDone: () => void,
): void => {
  const { messages } = language;
  const attributes = {
    class: 'code',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9]{6}',
    maxlength: '6',
  };
  const submit = async (code: string): Promise<string | null> => {
    const result = await guestApi.enterCode(loginId, code);
    if (!result.ok) return describeGuestApiError(language, result.error);
    onDone();
    return null;
  };
  const otherAddress = createHtmlElement('button', { type: 'button', class: 'link' }, messages.otherAddress);
  otherAddress.addEventListener('click', () => showGuestLogin(language, null, onDone));
  const form = createForm({ label: messages.code, attributes, button: messages.signIn, submit });
  showForm(messages.signIn, messages.codeSent(email), form, otherAddress);
};
