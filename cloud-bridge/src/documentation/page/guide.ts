import type { DenialReason } from '@lintel/access-core/access-data-types';
import { type ApiErrorType, apiErrorTypes } from '@lintel/wire-protocol/rest/api-error-types';
import { html, type HtmlMarkup } from '../../pages/html-template.ts';
import type { ApiDescription } from '../public-api-description.ts';
import { renderCodeBlock } from './endpoint-details.ts';

/** When the error happens, and what to do. */
const errorMeanings: Readonly<Record<ApiErrorType, string>> = {
  invalid_request:
    'The body, a parameter or a header is not valid, or refers to an object that does not exist. Correct what the message says.',
  unauthorized: 'There is no token, or it is unknown, expired or revoked. Refresh the token.',
  legacy_api_key_disabled: 'The token is an API key of the old form. Connect with OAuth 2.0.',
  forbidden:
    'The token, the role or the organization does not permit this. Ask for the scope, the role or the feature.',
  permission_denied: 'The member may not do this now. args.reason says why.',
  not_found: 'The address, the object or the action does not exist, or belongs to another organization or application.',
  method_not_allowed: 'The address does not have this method. The header Allow lists the methods that it has.',
  edit_conflict: 'The object has changed since the ETag in If-Match was read. Read it again, then repeat the edit.',
  payload_too_large: 'The body has more than 256 KiB. Send less.',
  unsupported_media_type: 'The body is not application/json, or it is compressed.',
  rate_limited: 'There were too many requests, or a quota is used up. Wait for the seconds in Retry-After.',
  internal: 'The bridge has a defect. Report args.request_id to the operator.',
  hardware_offline:
    'The device is not reachable, did not answer in time, or could not move the gadget. Try again later.',
  unavailable:
    'The bridge cannot reach its database, or is overloaded. Try again after Retry-After, a POST with its Idempotency-Key.',
  insufficient_storage: 'The disk of the bridge is full. Inform the operator, and try again later.',
};

const reasonMeanings: Readonly<Record<DenialReason, string>> = {
  member_deleted: 'The member is deleted.',
  member_not_started: 'starts_at of the member is in the future.',
  member_ended: 'ends_at of the member has passed.',
  no_group: 'No group association of the member is valid now.',
  no_matching_rule: "No rule of the member's groups matches this gadget and action.",
  method_not_allowed: 'Rules match, but not for this access method.',
  out_of_schedule: 'Rules match, but not at this time.',
  not_present: 'Rules match, but the member is not at the site.',
  time_untrusted: 'Only time limits prevent access, and the controller does not know the time.',
  unknown_credential: 'No member with access at this controller has this PIN or card.',
  no_input_rule: 'The keypad has no rule for what was typed or tapped.',
  locked_out: 'There were too many wrong entries: the keypad is locked for a while.',
};

const table = (label: string, head: readonly string[], rows: readonly HtmlMarkup[]): HtmlMarkup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table>
<thead><tr>${head.map(name => html`<th>${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;

const errorExample = `{
  "type": "invalid_request",
  "message": "The field 'name' must have at most 200 characters. The field 'ends_at' must not be before 'starts_at'.",
  "args": { "field": "name", "fields": "name,ends_at" }
}`;

const errors = html`<section id="errors"><h2>Errors</h2>
<p>Every response other than 200 has a body with <code>type</code>, <code>message</code> and <code>args</code>. Decide by
<code>type</code>; the wording of <code>message</code> may change. The message tells all mistakes of a body, up to ten.
<code>args.field</code> is the path of the first one, such as <code>permissions.0.gadget_id</code>, and
<code>args.fields</code> lists the paths if there are several.</p>
${renderCodeBlock('Error', errorExample)}
${table(
  'Errors',
  ['Status', 'Type', 'Meaning'],
  Object.entries(apiErrorTypes).map(
    ([type, status]) =>
      html`<tr><td>${status}</td><td><code>${type}</code></td><td>${errorMeanings[type as ApiErrorType]}</td></tr>`,
  ),
)}
<h3>Why a member is denied</h3>
<p><code>args.reason</code> of <code>permission_denied</code>, and <code>reason</code> of events with the verb
<code>deny</code>:</p>
${table(
  'Reasons',
  ['Reason', 'Meaning'],
  Object.entries(reasonMeanings).map(
    ([reason, meaning]) => html`<tr><td><code>${reason}</code></td><td>${meaning}</td></tr>`,
  ),
)}</section>`;

const lists = ({ base }: ApiDescription): HtmlMarkup => html`<section id="lists"><h2>Lists and expands</h2>
<p>A list returns its objects newest first: <code>data</code>, <code>has_next</code> and, if there are more pages,
<code>cursor_next</code>. Send it as <code>cursor</code>, with the same other parameters, until <code>has_next</code> is
false. A page has at most 100 objects (<code>limit</code>).</p>
<ul><li><b>Filters</b> are parameters with the name of a field, such as <code>site_id=…</code>. Most ids and values with a
fixed choice take several, separated by commas. Times take <code>:gt</code>, <code>:ge</code>, <code>:lt</code> and
<code>:le</code>: <code>created_at:gt=2026-05-04T09:30:00Z</code>. Metadata: <code>metadata.sourceID=4711</code>. Deleted
objects are left out unless <code>is_deleted</code> is <code>true</code> or <code>any</code>.</li>
<li><b>Sort</b>: <code>sort=name:asc</code>.</li>
<li><b>Expands</b> put referenced objects beside their ids, separated by commas and nested with dots:
<code>${base}/members?expand=pins,group_associations.member_group</code>. A response has at most 20,000 objects and
8 MiB.</li></ul>
<p><a href="#objects">Objects</a> lists the filters, sorts and expands of each object.</p></section>`;

const rates = html`<section id="rates"><h2>Rate limits and retries</h2>
<p>Responses have <code>RateLimit-Limit</code> (requests at once), <code>RateLimit-Remaining</code> (requests that are
left) and <code>RateLimit-Reset</code> (seconds until all are possible again) for the token. After 429, wait for the
seconds in <code>Retry-After</code>.</p>
<p>A POST with an <code>Idempotency-Key</code> can be retried safely: for 24 hours the same request with the same key
returns the first response and changes nothing.</p></section>`;

const events = (
  { base }: ApiDescription,
  publicUrl: string,
): HtmlMarkup => html`<section id="events"><h2>Receive events</h2>
<ul><li><b>Webhooks</b>: create one with a URL and a filter. Each matching event is sent as a POST with the event as JSON.
Respond with a 2xx status within 10 seconds; everything else is retried for an hour. Verify
<code>X-Service-Sig-SHA256</code>, the hexadecimal HMAC-SHA256 of the raw body with the text of the secret as the key.
<code>POST ${base}/webhooks/{webhook_id}/test</code> sends a test event, and the deliveries of a webhook show what your
server answered.</li>
<li><b>Event stream</b>: a WebSocket at <code>${publicUrl.replace(/^http/, 'ws')}${base}/events/stream</code>, with the
filters and expands of the list of events. Send <code>{"access_token": "…"}</code> as the first message.
<code>since=EVENT_ID</code> continues after that event.</li>
<li><b>Polling</b>: sort by <code>recorded_at</code> and filter with <code>recorded_at:gt</code>, so that events that
arrive late from an offline door are not missed.</li></ul></section>`;

const oauth = (publicUrl: string): HtmlMarkup => html`<section id="oauth"><h2>Connect an application</h2>
<ol><li>An administrator creates the application in the console, under Developers. Its secret is shown once.</li>
<li>Send the browser of the user to
<code>${publicUrl}/oauth2/auth?client_id=…&amp;redirect_uri=…&amp;response_type=code&amp;scope=full_read_write%20offline&amp;state=…</code></li>
<li>The browser returns to your <code>redirect_uri</code> with <code>code</code> and <code>state</code>. Stop if
<code>state</code> is not yours.</li>
<li>Within 15 minutes, send <code>grant_type=authorization_code</code>, <code>client_id</code>,
<code>client_secret</code> and <code>code</code> as a form to <code>${publicUrl}/oauth2/token</code>. A code works once,
also if the exchange fails.</li>
<li>The access token is valid for an hour. With the scope <code>offline</code> you also get a refresh token:
<code>grant_type=refresh_token</code> returns a new access token and a new refresh token. Store both.</li></ol>
<p>Errors of these addresses have <code>error</code> and <code>error_description</code>, as in RFC 6749.</p></section>`;

export interface GuideSection {
  readonly id: string;
  readonly title: string;
  readonly content: HtmlMarkup;
}

/** What holds for all endpoints of an API. */
export const createGuideSections = (api: ApiDescription, publicUrl: string): readonly GuideSection[] => [
  { id: 'oauth', title: 'Connect an application', content: oauth(publicUrl) },
  { id: 'lists', title: 'Lists and expands', content: lists(api) },
  ...(api.sendsEvents ? [{ id: 'events', title: 'Receive events', content: events(api, publicUrl) }] : []),
  ...(api.sendsEvents ? [{ id: 'rates', title: 'Rate limits and retries', content: rates }] : []),
  { id: 'errors', title: 'Errors', content: errors },
];
