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
    form.append(labelled(name, element('input', { name, required: true, autocomplete: 'off' })));
  }
  form.append(labelled('Query', element('input', { name: 'query', autocomplete: 'off' })));
  if (body !== '') form.append(labelled('Body', element('textarea', { name: 'body', value: body, spellcheck: false })));
  form.append(element('button', { type: 'submit', textContent: `Send ${method} request` }));
  form.addEventListener('submit', async event => {
    event.preventDefault();
    output.hidden = false;
    if (token.value.trim() === '') {
      output.textContent = 'Paste an access token under "Getting started" first.';
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
      textContent: `Sends the request to this bridge with the token that you pasted.${warning}`,
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
const settings = element(
  'form',
  {},
  labelled('Language of the examples ', languages),
  labelled('Access token for "Try it"', token),
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
