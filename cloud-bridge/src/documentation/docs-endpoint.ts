import type { EndpointDescription } from '../api/endpoint.ts';
import { fieldTable, kindOf } from './docs-fields.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema } from './json-schema.ts';
import { html, type Markup } from '../pages/markup.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { bodySchema, type Components, operationId } from './schemas.ts';

const parameterTable = (parameters: readonly Parameter[]): Markup => {
  if (parameters.length === 0) return html``;
  const rows = parameters.map(
    ({ name, schema, description, in: place }) =>
      html`<tr><td><code>${name}</code></td><td>${place}</td><td>${kindOf(schema)}</td><td>${description}</td></tr>`,
  );
  return html`<h3>Parameters</h3><div class="scroll"><table>
<thead><tr><th>Name</th><th>In</th><th>Type</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`;
};

/** What must be given; where nothing must, the first field alone, since some bodies want one of several. */
const sampleBody = (schema: JsonSchema, schemas: Components['schemas']): unknown => {
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

export const endpointDetails = (endpoint: EndpointDescription, components: Components): Markup => {
  const { method, path, summary, body } = endpoint;
  const schema = body === undefined ? undefined : bodySchema(body);
  const sample = schema === undefined ? undefined : sampleBody(schema, components.schemas);
  const answer = components.answerOf(endpoint);
  const bodyPart = schema === undefined ? html`` : html`<h3>Body</h3>${fieldTable(schema, true)}`;
  return html`<details id="${operationId(endpoint)}"><summary><span class="method ${method.toLowerCase()}">${method}</span>
<span class="path">${path.replaceAll(/:([a-z_]+)/g, '{$1}')}</span><span class="what">${summary}</span></summary>
<div class="inside">${parameterTable(parametersOf(endpoint))}${bodyPart}
<h3>Example</h3><pre>${curl(endpoint, sample)}</pre>
<h3>Answer</h3><p>${kindOf(answer)}</p><pre>${JSON.stringify(exampleOf(answer, components.schemas), null, 2)}</pre>
</div></details>`;
};
