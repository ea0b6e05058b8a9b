import { readFileSync } from 'node:fs';
import { getListFilterNames } from '@lintel/wire-protocol/rest/list-filter';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import type { EndpointDescription } from '../../api/define-endpoint.ts';
import { html, HtmlMarkup } from '../../pages/html-template.ts';
import type { ApiDescription } from '../public-api-description.ts';
import type { JsonSchema } from '../openapi/json-schema-type-and-references.ts';
import { listSortableFieldNames } from '../openapi/parameters.ts';
import { ApiSchemas } from '../openapi/request-and-response-schemas.ts';
import { renderCodeBlock, renderEndpointDetails } from './endpoint-details.ts';
import { renderFieldTable } from './field-table.ts';
import { createGuideSections } from './guide.ts';

const readAsset = (name: string): HtmlMarkup => new HtmlMarkup(readFileSync(new URL(name, import.meta.url), 'utf8'));

const stylesheet = readAsset('./docs-page.css');
const script = readAsset('./docs-page.js');

const anchor = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;

const nameSection = (title: string, list: readonly string[]): HtmlMarkup =>
  list.length === 0
    ? html``
    : html`<h3>${title}</h3><p class="names">${list.map(name => html`<code>${name}</code> `)}</p>`;

/** `listed` are the types that have a list: only lists have filters and sorts. */
const queryNames = (name: string, listed: ReadonlySet<string | undefined>): HtmlMarkup => {
  if (!Object.hasOwn(resourceDefinitions, name)) return html``;
  const type = name as ResourceType;
  const resource = resourceDefinitions[type];
  const metadata = resource.filters['metadata'] === undefined ? [] : ['metadata.<key>'];
  const ofList = listed.has(name)
    ? html`${nameSection('Filters', [...getListFilterNames(type), ...metadata])}${nameSection('Sorts', listSortableFieldNames(resource))}`
    : html``;
  return html`${ofList}
${nameSection('Expands', Object.keys(resource.expands))}`;
};

const objectDetails = (
  [name, schema]: readonly [string, JsonSchema],
  listed: ReadonlySet<string | undefined>,
): HtmlMarkup =>
  html`<details id="object-${name}"><summary><span class="path">${name}</span></summary>
<div class="inside"><p>${schema.description ?? ''}.</p>${renderFieldTable(schema, false)}${queryNames(name, listed)}</div></details>`;

const typeScriptClient = html`<p>The TypeScript samples use <code>@lintel/client</code>. It is not on npm: in a clone of the source
code of Lintel, run <code>npm ci</code> and <code>npm pack -w packages/client</code>. In your project, run
<code>npm install ./lintel-client-*.tgz</code> with the file.</p>`;

const gettingStarted = ({ base, firstRequest, hasClient }: ApiDescription, publicUrl: string): HtmlMarkup => {
  const firstToken = `BASE_URL=${publicUrl}${base}
TOKEN=$(npx lintel token --data DATA_FOLDER --organization ORGANIZATION_ID --scope full_read_write)
curl "$BASE_URL${firstRequest}" -H "Authorization: Bearer $TOKEN"`;
  return html`<section id="start"><h2>Getting started</h2>
<p>Every request requires an OAuth 2.0 access token, which gives access to the objects of one organization. There are two
ways to get one:</p>
<ul><li><b>For a script or a first try</b>, an administrator creates a token in the console, under Developers. The
operator of this bridge can also run <code>lintel token</code> on the machine where the bridge runs.</li>
<li><b>In production</b>, an administrator creates an application, and a user of the organization connects it: your server
sends the browser to <code>${publicUrl}/oauth2/auth</code> and exchanges the code at
<code>${publicUrl}/oauth2/token</code>.</li></ul>
${renderCodeBlock('First request', firstToken)}
<p>Bodies are JSON, times are ISO 8601.</p>
${hasClient ? typeScriptClient : []}
<div id="settings" hidden></div></section>`;
};

/** The API documentation as a single self-contained HTML page. It is complete without its script. */
export const renderDocsPage = (
  api: ApiDescription,
  endpoints: readonly EndpointDescription[],
  publicUrl: string,
): string => {
  const schemas = new ApiSchemas(endpoints, api.objects);
  const guide = createGuideSections(api, publicUrl);
  const listed = new Set(endpoints.filter(({ isList }) => isList === true).map(({ object }) => object));
  const byTag = [...Map.groupBy(endpoints, ({ tag }) => tag)];
  const sections = byTag.map(
    ([tag, endpointsOfTag]) =>
      html`<section id="${anchor(tag)}"><h2>${tag}</h2><p class="quiet">${api.tagDescriptions[tag] ?? ''}</p>
${endpointsOfTag.map(endpoint => renderEndpointDetails(endpoint, schemas, api))}</section>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${api.title}</title><style>${stylesheet}</style></head><body data-base="${api.base}"><div class="page">
<header><h1>${api.title}</h1>
<p>${api.description} Machine-readable: <a href="${api.base}/openapi.json">OpenAPI 3.1</a>.</p></header>
<nav aria-label="Contents"><h2>Guide</h2><ul><li><a href="#start">Getting started</a></li>
${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<h2>Endpoints</h2><ul>
${byTag.map(([tag]) => html`<li><a href="#${anchor(tag)}">${tag}</a></li>`)}</ul>
<h2>Reference</h2><ul><li><a href="#objects">Objects</a></li></ul></nav>
<main>${gettingStarted(api, publicUrl)}${guide.map(({ content }) => content)}${sections}
<section id="objects"><h2>Objects</h2>${Object.entries(schemas.components.schemas).map(entry => objectDetails(entry, listed))}</section></main>
</div><script type="module">${script}</script></body></html>`;
  return page.text;
};
