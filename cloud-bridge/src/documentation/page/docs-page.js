// Adds copy buttons, a choice of the language of examples, and forms that send requests to this bridge. The token stays
// in the memory of this tab.
const element = (name, properties = {}, ...children) => {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
};

const labelled = (text, field) => element('label', {}, text, field);

const addCopyButton = block => {
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.setAttribute('aria-label', `Copy: ${block.getAttribute('aria-label')}`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  const frame = element('div', { className: 'code' });
  block.replaceWith(frame);
  frame.append(block, button);
};

const showLanguage = language => {
  for (const block of document.querySelectorAll('pre[data-language]')) {
    const isHidden = block.dataset.language !== '' && block.dataset.language !== language;
    (block.closest('.code') ?? block).hidden = isHidden;
  }
};

const TOKEN_SECONDS = 900;
let organizationId = new URLSearchParams(location.search).get('organization') ?? '';

const call = async (path, options) => {
  const response = await fetch(`/admin/v1${path}`, { cache: 'no-store', ...options });
  if (!response.ok) throw Object.assign(new Error((await response.json()).message), { status: response.status });
  return response.json();
};

const mayCreateTokens = ({ permissions }) => permissions.includes('applications.write');

/** Creates a token with the session of the console, for the organization of the address or the first one. */
const createToken = async () => {
  const { csrf_token } = await call('/session');
  const organizations = (await call('/organizations')).data.filter(mayCreateTokens);
  const chosen = organizations.find(({ id }) => id === organizationId) ?? organizations[0];
  if (chosen === undefined) throw new Error('Your role does not allow creating tokens. Ask an administrator.');
  const created = await call(`/organizations/${chosen.id}/tokens`, {
    method: 'POST',
    headers: { 'x-csrf-token': csrf_token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'API reference', scope: 'full_read_write', expires_in: TOKEN_SECONDS }),
  });
  return { token: created.access_token, organization: chosen };
};

const token = element('input', { type: 'password', autocomplete: 'off', spellcheck: false });

const send = async (form, output) => {
  const { method, path } = form.dataset;
  const values = new FormData(form);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name)));
  const query = (values.get('query') ?? '').replace(/^\?/, '');
  const body = values.get('body');
  const response = await fetch(`${document.body.dataset.base}${filled}${query === '' ? '' : `?${query}`}`, {
    method,
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${token.value.trim()}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  output.textContent = `${response.status} ${response.statusText}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
};

const buildForm = place => {
  const { method, path, body } = place.dataset;
  const output = element('pre', { tabIndex: 0, hidden: true });
  output.setAttribute('role', 'status');
  const form = element('form');
  Object.assign(form.dataset, { method, path });
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    const value = name === 'organization_id' ? organizationId : '';
    form.append(labelled(name, element('input', { name, value, required: true, autocomplete: 'off' })));
  }
  form.append(labelled('Query', element('input', { name: 'query', autocomplete: 'off' })));
  if (body !== '') form.append(labelled('Body', element('textarea', { name: 'body', value: body, spellcheck: false })));
  form.append(element('button', { type: 'submit', textContent: `Send ${method} request` }));
  form.addEventListener('submit', async event => {
    event.preventDefault();
    output.hidden = false;
    if (token.value.trim() === '') {
      output.textContent = 'Create or paste an access token under "Getting started" first.';
      return;
    }
    output.textContent = 'Sending…';
    try {
      await send(form, output);
    } catch {
      output.textContent = 'The bridge did not respond. Check the network connection.';
    }
  });
  const warning = method === 'GET' ? '' : ' It changes the data of the organization.';
  place.append(
    element('h3', { textContent: 'Try it' }),
    element('p', {
      className: 'quiet',
      textContent: `Sends the request to this bridge with the token under "Getting started".${warning}`,
    }),
    form,
    output,
  );
};

for (const block of document.querySelectorAll('pre')) addCopyButton(block);

const languages = element(
  'select',
  {},
  ...['curl', 'TypeScript', 'Python'].map(name => element('option', { textContent: name })),
);
languages.addEventListener('change', () => showLanguage(languages.value));
const tokenStatus = element('p', { className: 'quiet' });
tokenStatus.setAttribute('role', 'status');
const tokenButton = element('button', { type: 'button', textContent: 'Create a token with my login' });
tokenButton.addEventListener('click', async () => {
  try {
    const created = await createToken();
    token.value = created.token;
    organizationId = created.organization.id;
    for (const field of document.getElementsByName('organization_id')) field.value ||= organizationId;
    tokenStatus.textContent = `The token is valid for ${TOKEN_SECONDS / 60} minutes, for ${created.organization.name}.`;
  } catch (error) {
    const address = `/login?return_to=${encodeURIComponent(location.pathname + location.search)}`;
    const isSignedOut = error.status === 401;
    tokenStatus.replaceChildren(
      isSignedOut ? element('a', { href: address, textContent: 'Sign in first' }) : error.message,
    );
  }
});
const settings = element(
  'form',
  {},
  labelled('Language of the examples ', languages),
  labelled('Access token for "Try it"', token),
  tokenButton,
  tokenStatus,
  element('p', { className: 'quiet', textContent: 'The token stays in the memory of this tab. It is not stored.' }),
);
settings.addEventListener('submit', event => event.preventDefault());
const settingsPlace = document.getElementById('settings');
settingsPlace.append(settings);
settingsPlace.hidden = false;
showLanguage(languages.value);

for (const details of document.querySelectorAll('details')) {
  details.addEventListener('toggle', () => {
    const place = details.querySelector('.try:empty');
    if (place !== null) buildForm(place);
  });
}

const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.tagName === 'DETAILS') target.open = true;
};
addEventListener('hashchange', openTarget);
openTarget();
