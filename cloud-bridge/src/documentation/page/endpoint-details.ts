import type { EndpointDescription } from '../../api/define-endpoint.ts';
import { html, type HtmlMarkup } from '../../pages/html-template.ts';
import type { ApiDescription } from '../public-api-description.ts';
import { createResponseExample } from '../examples/object-and-response-examples.ts';
import { selectRequestExample } from '../examples/select-request-example.ts';
import { buildOperationId } from '../openapi/operation-id.ts';
import { type OpenApiParameter, createOpenApiParameters } from '../openapi/parameters.ts';
import type { ApiSchemas } from '../openapi/request-and-response-schemas.ts';
import { createCodeSamples } from './code-samples.ts';
import { renderSchemaType, renderFieldTable } from './field-table.ts';

const parameterTable = (parameters: readonly OpenApiParameter[]): HtmlMarkup => {
  if (parameters.length === 0) return html``;
  const rows = parameters.map(
    ({ name, schema, description, in: location }) =>
      html`<tr><td><code>${name}</code></td><td>${location}</td><td>${renderSchemaType(schema)}</td><td>${description}</td></tr>`,
  );
  return html`<h3>Parameters</h3><div class="scroll" tabindex="0" role="group" aria-label="Parameters"><table>
<thead><tr><th>Name</th><th>In</th><th>Type</th><th>Description</th></tr></thead><tbody>${rows}</tbody></table></div>`;
};

/** A block of code, which can be scrolled with the keyboard and copied with a button. */
export const renderCodeBlock = (label: string, text: string, language = ''): HtmlMarkup =>
  html`<pre tabindex="0" role="group" aria-label="${label}" data-language="${language}">${text}</pre>`;

const displayPath = (path: string): string => path.replaceAll(/:([a-z_]+)/g, '{$1}');

/** Description, example and a form to try an endpoint, which the script of the page fills. */
export const renderEndpointDetails = (
  endpoint: EndpointDescription,
  schemas: ApiSchemas,
  api: ApiDescription,
): HtmlMarkup => {
  const { method, path, summary } = endpoint;
  const id = buildOperationId(endpoint);
  const body = schemas.bodyOf(endpoint);
  const sample = body === undefined ? undefined : selectRequestExample(id, schemas.resolve(body), api.requestExamples);
  const response = schemas.responseOf(endpoint);
  const samples = Object.entries(createCodeSamples(endpoint, sample, api.hasClient)).map(([language, text]) =>
    renderCodeBlock(`${summary}, in ${language}`, text, language),
  );
  const bodyPart = body === undefined ? html`` : html`<h3>Body</h3>${renderFieldTable(schemas.resolve(body), true)}`;
  return html`<details id="${id}"><summary><span class="method ${method.toLowerCase()}">${method}</span>
<span class="path">${displayPath(path)}</span><span class="what">${summary}</span></summary>
<div class="inside"><p class="quiet">${api.describeAccess(endpoint)} In generated clients: <code>${id}</code></p>
${parameterTable(createOpenApiParameters(endpoint, schemas.components))}${bodyPart}
<h3>Example</h3>${samples}
<h3>Response</h3><p>${renderSchemaType(response)}</p>
${renderCodeBlock(`Response to ${id}`, JSON.stringify(createResponseExample(response, schemas.components.schemas), null, 2))}
${endpoint.acceptsBytes === true ? html`` : html`<div class="try" data-method="${method}" data-path="${displayPath(path)}" data-body="${sample === undefined ? '' : JSON.stringify(sample, null, 2)}"></div>`}
</div></details>`;
};
