import type { EndpointDescription } from '../api/endpoint.ts';
import { fieldTable, describeSchemaType } from './docs-fields.ts';
import { exampleOf } from './example-value.ts';
import type { JsonSchema } from './json-schema.ts';
import { html, type Markup } from '../pages/markup.ts';
import { type OpenApiParameter, openApiParametersOf } from './parameters.ts';
import { bodySchemaOf, type SchemaComponents, operationId } from './schemas.ts';

const parameterTable = (parameters: readonly OpenApiParameter[]): Markup => {
  if (parameters.length === 0) return html``;
  const rows = parameters.map(
    ({ name, schema, description, in: location }) =>
      html`<tr><td><code>${name}</code></td><td>${location}</td><td>${describeSchemaType(schema)}</td><td>${description}</td></tr>`,
  );
  return html`<h3>RequestParameters</h3><div class="scroll"><table>
<thead><tr><th>Name</th><th>In</th><th>Type</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`;
};

/** The required fields; without any, the first field, since some bodies require one of several. */
const sampleBody = (schema: JsonSchema, schemas: SchemaComponents['schemas']): unknown => {
  const names = Object.keys(schema.properties ?? {});
  const shown = schema.required ?? names.slice(0, 1);
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => shown.includes(name)),
  );
  return exampleOf({ type: 'object', properties }, schemas);
};

const curl = ({ method, path }: EndpointDescription, body: unknown): string => {
  const address = `"$BASE_URL${path.replaceAll(/:([a-z_]+)/g, (_, name: string) => `$${name.toUpperCase()}`)}"`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${address}`, `  -H "Authorization: Bearer $TOKEN"`];
  if (body !== undefined) {
    lines.push(`  -H "Content-Type: application/json"`, `  -d '${JSON.stringify(body)}'`);
  }
  return lines.join(' \\\n');
};

export const endpointDetails = (endpoint: EndpointDescription, components: SchemaComponents): Markup => {
  const { method, path, summary, body } = endpoint;
  const schema = body === undefined ? undefined : bodySchemaOf(body);
  const sample = schema === undefined ? undefined : sampleBody(schema, components.schemas);
  const response = components.responseOf(endpoint);
  const bodyPart = schema === undefined ? html`` : html`<h3>Body</h3>${fieldTable(schema, true)}`;
  return html`<details id="${operationId(endpoint)}"><summary><span class="method ${method.toLowerCase()}">${method}</span>
<span class="path">${path.replaceAll(/:([a-z_]+)/g, '{$1}')}</span><span class="what">${summary}</span></summary>
<div class="inside">${parameterTable(openApiParametersOf(endpoint))}${bodyPart}
<h3>Example</h3><pre>${curl(endpoint, sample)}</pre>
<h3>Response</h3><p>${describeSchemaType(response)}</p><pre>${JSON.stringify(exampleOf(response, components.schemas), null, 2)}</pre>
</div></details>`;
};
