import { api } from '../guest-api.ts';
import type { Language } from '../messages/language.ts';
import { el, show } from './markup.ts';
import { errorMessage } from '../messages/describe-error.ts';

interface Field {
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly button: string;
  /** Resolves to an error message or null. */
  readonly submit: (value: string) => Promise<string | null>;
}

const createForm = ({ label, attributes, button, submit }: Field): HTMLFormElement => {
  const errorText = el('p', { class: 'error', id: 'error', role: 'alert' });
  const input = el('input', { id: 'field', required: true, 'aria-describedby': 'error', ...attributes });
  const send = el('button', { type: 'submit', class: 'primary' }, button);
  const form = el('form', {}, el('label', { for: 'field' }, label), input, errorText, send);
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
  show(el('div', { class: 'notice' }, el('h1', {}, title), el('p', {}, text), form, ...more));
  form.querySelector('input')?.focus();
};

/** Asks for the email address and then for the code. */
export const showLogin = (language: Language, hint: string | null, onDone: () => void): void => {
  const { messages } = language;
  const attributes = { type: 'email', autocomplete: 'email', autocapitalize: 'none', maxlength: '254' };
  const submit = async (email: string): Promise<string | null> => {
    const result = await api.sendCode(email);
    if (!result.ok) return errorMessage(language, result.error);
    showCode(language, { email, loginId: result.value.login_id }, onDone);
    return null;
  };
  showForm(
    messages.signIn,
    hint ?? messages.signInHint,
    createForm({ label: messages.email, attributes, button: messages.sendCode, submit }),
  );
};

const showCode = (
  language: Language,
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
    const result = await api.enterCode(loginId, code);
    if (!result.ok) return errorMessage(language, result.error);
    onDone();
    return null;
  };
  const otherAddress = el('button', { type: 'button', class: 'link' }, messages.otherAddress);
  otherAddress.addEventListener('click', () => showLogin(language, null, onDone));
  const form = createForm({ label: messages.code, attributes, button: messages.signIn, submit });
  showForm(messages.signIn, messages.codeSent(email), form, otherAddress);
};
