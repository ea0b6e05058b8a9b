// Shows the passkey forms, which need a script, and sends the answer of the browser with them.
const requests = {
  create: options =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: options => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
};

const submit = async (form, button, message) => {
  button.disabled = true;
  message.textContent = '';
  try {
    const credential = await requests[form.dataset.passkey](JSON.parse(form.dataset.options));
    form.elements.namedItem('credential').value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    message.textContent = 'The browser did not return a passkey. Try again.';
    button.disabled = false;
  }
};

if (typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', event => {
      event.preventDefault();
      void submit(form, form.querySelector('button'), form.querySelector('[role=status]'));
    });
  }
}
