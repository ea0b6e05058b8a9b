/*
 * One page without a framework. Elements are created once and only their texts change, so that the layout stays still. All data is
 * set as text, never as markup.
 */

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6570; --line: #d7dce1; --paper: #fff; --ground: #f4f5f7;
  --good: #17683a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a3adb8; --line: #38404a; --paper: #1d2228;
  --ground: #14181c; --good: #7ed6a1; --bad: #ff9b92; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 64rem; margin: 0 auto; display: grid; gap: 1rem; }
h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 0 0 .5rem; }
header p { margin: .2rem 0 0; color: var(--soft); overflow-wrap: anywhere; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; }
dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem .8rem; }
dt { color: var(--soft); } dd { margin: 0; text-align: right; overflow-wrap: break-word; min-height: 1.5em; }
table { width: 100%; border-collapse: collapse; } th, td { text-align: left; padding: .35rem .5rem .35rem 0;
  border-top: 1px solid var(--line); vertical-align: top; } th { color: var(--soft); font-weight: 500; border-top: 0; }
td:nth-child(n+3), th:nth-child(n+3) { text-align: right; } td small { color: var(--soft); display: block; }
.good { color: var(--good); } .bad { color: var(--bad); } #faults { min-height: 1.5em; margin: 0; padding-left: 1.2rem; }
#faults.none { list-style: none; padding: 0; color: var(--soft); }
`;

const script = `
const at = id => document.getElementById(id);
const setText = (id, text, state) => { const element = at(id); if (element.textContent !== text) element.textContent = text;
  element.className = state ?? ''; };
const number = value => new Intl.NumberFormat().format(value);
let zone;
const setZone = name => { try { zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone; } catch { zone = undefined; } };
const timeParts = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' };
const dayParts = { day: 'numeric', month: 'short', year: 'numeric' };
const dateTime = text => text === null ? '–'
  : new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts, timeZone: zone }).format(new Date(text));
const cell = (row, index) => row.cells[index] ?? row.insertCell();
const fill = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const showControllers = list => {
  const body = at('controllers');
  while (body.rows.length > list.length) body.deleteRow(-1);
  list.forEach((controller, index) => {
    const row = body.rows[index] ?? body.insertRow();
    fill(cell(row, 0), controller.name === '' ? controller.device_id : controller.name);
    cell(row, 0).title = controller.device_id;
    const isMissing = !controller.connected && controller.was_connected;
    fill(cell(row, 1), controller.connected ? 'connected' : isMissing ? 'disconnected' : 'not through this gateway');
    cell(row, 1).className = controller.connected ? 'good' : isMissing ? 'bad' : '';
    fill(cell(row, 2), dateTime(controller.since));
  });
  at('no-controllers').hidden = list.length > 0;
};
const showFaults = list => {
  const element = at('faults');
  const texts = list.length === 0 ? ['None'] : list.map(fault => fault.message + ' (since ' + dateTime(fault.since) + ')');
  element.className = list.length === 0 ? 'none' : 'bad';
  if (element.dataset.shown === texts.join('\\n')) return;
  element.dataset.shown = texts.join('\\n');
  element.replaceChildren(...texts.map(text => Object.assign(document.createElement('li'), { textContent: text })));
};
const show = status => {
  setZone(status.site_time_zone ?? undefined);
  setText('title', status.claimed ? 'Gateway ' + (status.site ?? '') : 'Gateway, not claimed yet');
  setText('who', status.device_id ?? 'Claim it with: lintel enroll --data DIR --bridge URL --code CODE');
  for (const name of ['mqtts', 'mqtt', 'tunnel', 'status']) setText('a-' + name, status.addresses[name] ?? 'off');
  setText('link', status.upstream.connected ? 'connected' : 'not connected', status.upstream.connected ? 'good' : 'bad');
  setText('url', status.upstream.url ?? '–');
  setText('since', dateTime(status.upstream.since));
  setText('revocations', number(status.revocations));
  setText('time', dateTime(status.clock.time));
  setText('trusted', status.clock.trusted ? 'yes' : 'not yet', status.clock.trusted ? 'good' : 'bad');
  setText('source', status.clock.source);
  setText('expires', dateTime(status.certificate_expires_at));
  for (const name of ['up', 'down', 'local', 'offline', 'dropped']) setText('t-' + name, number(status.traffic[name]));
  showControllers(status.controllers);
  showFaults(status.faults);
};
const refresh = async () => {
  try {
    show(await (await fetch('/status.json')).json());
    setText('news', 'as of ' + new Intl.DateTimeFormat('en-GB', { ...timeParts, timeZone: zone }).format(new Date()));
  } catch {
    setText('news', 'The gateway does not respond', 'bad');
  }
  setTimeout(refresh, document.hidden ? 15000 : 2000);
};
refresh();
`;

const rows = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, id]) => `<dt>${name}</dt><dd id="${id}">–</dd>`).join('');

export const GATEWAY_STATUS_PAGE_HTML = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lintel gateway</title><style>${style}</style></head><body><main>
<header><h1 id="title">Gateway</h1><p id="who">–</p><p id="news" role="status">–</p></header>
<section><h2>Faults</h2><ul id="faults" class="none"><li>–</li></ul></section>
<div class="cards">
<section><h2>Link to the bridge</h2><dl>${rows(
  ['State', 'link'],
  ['Address', 'url'],
  ['Since', 'since'],
  ['Stored revocations', 'revocations'],
)}</dl></section>
<section><h2>Clock</h2><dl>${rows(
  ['Time', 'time'],
  ['Trusted', 'trusted'],
  ['Source', 'source'],
  ['Certificate valid until', 'expires'],
)}</dl></section>
<section><h2>Messages since the start</h2><dl>${rows(
  ['Up', 't-up'],
  ['Down', 't-down'],
  ['Within the site', 't-local'],
  ['While offline', 't-offline'],
  ['Dropped', 't-dropped'],
)}</dl></section>
<section><h2>Addresses</h2><dl>${rows(
  ['Controllers', 'a-mqtts'],
  ['Simulated controllers', 'a-mqtt'],
  ['Tunnel to the bridge', 'a-tunnel'],
  ['This page', 'a-status'],
)}</dl></section>
</div>
<section><h2>Controllers</h2><table><thead><tr><th>Name</th><th>State</th><th>Since</th></tr></thead>
<tbody id="controllers"></tbody></table><p id="no-controllers">No controllers are claimed for this site yet.</p></section>
</main><script>${script}</script></body></html>
`;
