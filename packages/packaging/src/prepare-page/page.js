// The page of `lintel image prepare --web`. The token of the link stays in the memory of this tab.
const find = id => document.getElementById(id);

const token = location.hash.slice(1) || sessionStorage.getItem('token') || '';
sessionStorage.setItem('token', token);
history.replaceState(null, '', '/');

const request = async (path, body) => {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const content = await response.json();
  if (!response.ok) throw new Error(content.message);
  return content;
};

const showProblem = text => {
  find('problem').textContent = text;
  find('problem').hidden = text === '';
  if (text !== '') find('problem').scrollIntoView({ block: 'center' });
};

const describeFailure = error =>
  error instanceof TypeError
    ? 'The command does not run any more. Start it again and open its new link.'
    : error.message;

const svgUrl = svg => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const showProfile = profile => {
  find('wiring').hidden = profile === undefined;
  find('profile-hint').textContent = profile === undefined ? '' : profile.product_id;
  if (profile === undefined) return;
  find('wiring').src = svgUrl(profile.wiring);
  find('wiring').alt = `Wiring of ${profile.name}`;
};

const showChoices = ({ boot_folders, boot_folder, profiles }) => {
  find('drives').replaceChildren(
    ...boot_folders.map(path => Object.assign(document.createElement('option'), { value: path })),
  );
  find('boot_folder').value = boot_folder ?? (boot_folders.length === 1 ? boot_folders[0] : '');
  find('drives-found').textContent =
    boot_folders.length === 0
      ? 'No card found. Insert it, then reload this page, or type where its partition “bootfs” is mounted.'
      : `Found: ${boot_folders.join(', ')}`;
  for (const { product_id, name } of profiles) find('profile').append(new Option(name, product_id));
  find('profile').addEventListener('change', event =>
    showProfile(profiles.find(({ product_id }) => product_id === event.target.value)),
  );
  find('form').hidden = false;
};

const listItem = text => Object.assign(document.createElement('li'), { textContent: text });

const showResult = ({ name, address, label_svg, label_pdf, label_file, warnings, same_label }) => {
  find('result-title').textContent = `${name} is prepared`;
  find('warnings').replaceChildren(...warnings.map(warning => listItem(`Warning: ${warning}`)));
  find('label').src = svgUrl(label_svg);
  const bytes = Uint8Array.from(atob(label_pdf), character => character.charCodeAt(0));
  find('download').href = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  find('download').download = `${name}-label.pdf`;
  find('label-file').textContent =
    `It is also in ${label_file}${same_label ? ', with the same code as before' : ''}. It has the setup code: keep it private.`;
  find('next').replaceChildren(
    listItem('Eject the card, put it into the Pi and switch it on.'),
    listItem(`In about three minutes its page is at ${address}`),
    listItem('Scan the QR code of the label to open it.'),
  );
  find('form').hidden = true;
  find('result').hidden = false;
  find('result-title').focus();
};

const setBusy = isBusy => {
  find('submit').setAttribute('aria-disabled', String(isBusy));
  find('submit').textContent = isBusy ? 'Preparing… this can take a minute' : 'Prepare the card';
};

const submit = async () => {
  if (find('submit').getAttribute('aria-disabled') === 'true') return;
  setBusy(true);
  showProblem('');
  try {
    showResult(await request('api/prepare', Object.fromEntries(new FormData(find('form')))));
  } catch (error) {
    showProblem(describeFailure(error));
  } finally {
    setBusy(false);
  }
};

find('form').addEventListener('submit', event => {
  event.preventDefault();
  void submit();
});

find('another').addEventListener('click', () => location.reload());

try {
  showChoices(await request('api/choices'));
} catch (error) {
  showProblem(describeFailure(error));
}
