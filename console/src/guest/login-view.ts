import { api } from './guest-api.ts';
import type { Language } from './language.ts';
import { el, show } from './markup.ts';
import { failureWords } from './why-not.ts';

interface Field {
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly button: string;
  /** What is wrong, or null when it has worked. */
  readonly submit: (value: string) => Promise<string | null>;
}

const formOf = ({ label, attributes, button, submit }: Field): HTMLFormElement => {
  const problem = el('p', { class: 'problem', id: 'problem', role: 'alert' });
  const input = el('input', { id: 'field', required: true, 'aria-describedby': 'problem', ...attributes });
  const send = el('button', { type: 'submit', class: 'primary' }, button);
  const form = el('form', {}, el('label', { for: 'field' }, label), input, problem, send);
  const judge = async (): Promise<void> => {
    send.disabled = true;
    const wrong = await submit(input.value.trim());
    send.disabled = false;
    problem.textContent = wrong ?? '';
    input.setAttribute('aria-invalid', String(wrong !== null));
    if (wrong !== null) input.focus();
  };
  form.addEventListener('submit', event => {
    event.preventDefault();
    void judge();
  });
  return form;
};

const frame = (title: string, text: string, form: HTMLFormElement, ...more: readonly Node[]): void => {
  show(el('div', { class: 'notice' }, el('h1', {}, title), el('p', {}, text), form, ...more));
  form.querySelector('input')?.focus();
};

/** First the address, then the code that came to it. */
export const showLogin = (language: Language, hint: string | null, done: () => void): void => {
  const { words } = language;
  const attributes = { type: 'email', autocomplete: 'email', autocapitalize: 'none', maxlength: '254' };
  const submit = async (email: string): Promise<string | null> => {
    const answer = await api.sendCode(email);
    if (!answer.ok) return failureWords(language, answer.failure);
    showCode(language, { email, loginId: answer.value.login_id }, done);
    return null;
  };
  frame(
    words.logIn,
    hint ?? words.logInHint,
    formOf({ label: words.email, attributes, button: words.sendCode, submit }),
  );
};

const showCode = (
  language: Language,
  { email, loginId }: { readonly email: string; readonly loginId: string },
  done: () => void,
): void => {
  const { words } = language;
  const attributes = {
    class: 'code',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9]{6}',
    maxlength: '6',
  };
  const submit = async (code: string): Promise<string | null> => {
    const answer = await api.enterCode(loginId, code);
    if (!answer.ok) return failureWords(language, answer.failure);
    done();
    return null;
  };
  const again = el('button', { type: 'button', class: 'link' }, words.otherAddress);
  again.addEventListener('click', () => showLogin(language, null, done));
  const form = formOf({ label: words.code, attributes, button: words.logIn, submit });
  frame(words.logIn, words.codeSent(email), form, again);
};
