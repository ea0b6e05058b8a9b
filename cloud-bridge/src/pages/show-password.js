// A checkbox that shows what is typed into a password field. Without this script, the checkbox stays hidden.
for (const choice of document.querySelectorAll('input[data-shows]')) {
  const field = document.getElementById(choice.dataset.shows);
  choice.closest('p').hidden = false;
  choice.addEventListener('change', () => {
    field.type = choice.checked ? 'text' : 'password';
  });
  // Otherwise the browser may store the text as an ordinary entry.
  field.form.addEventListener('submit', () => {
    field.type = 'password';
  });
}
