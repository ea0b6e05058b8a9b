import { html, type HtmlMarkup } from '../../pages/html-template.ts';
import { type JsonSchema, parseReferencedSchemaName } from '../openapi/json-schema-type-and-references.ts';

const limits = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string => {
  const [from, to] = [minimum ?? minLength ?? minItems ?? 0, maximum ?? maxLength ?? maxItems];
  if (to === undefined) return from === 0 ? '' : ` from ${from}`;
  return from === 0 ? ` up to ${to}` : ` ${from} to ${to}`;
};

const separated = (parts: readonly HtmlMarkup[], separator: string): HtmlMarkup =>
  html`${parts.map((part, index) => html`${index === 0 ? '' : separator}${part}`)}`;

/** A short description of a schema: `string, date-time or null`. */
export const renderSchemaType = (schema: JsonSchema): HtmlMarkup => {
  if (schema.$ref !== undefined) {
    const name = parseReferencedSchemaName(schema.$ref);
    return html`<a href="#object-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return separated(
      schema.enum.map(value => html`<code>${String(value)}</code>`),
      ', ',
    );
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return separated(options.map(renderSchemaType), ' or ');
  const [type = 'any', ...others] = [schema.type ?? []].flat();
  const alternatives = others.map(other => ` or ${other}`).join('');
  if (typeof schema.items === 'object')
    return html`array${limits(schema)} of ${renderSchemaType(schema.items)}${alternatives}`;
  if (typeof schema.additionalProperties === 'object')
    return html`object of ${renderSchemaType(schema.additionalProperties)}${alternatives}`;
  return html`${type}${schema.format === undefined ? '' : `, ${schema.format}`}${limits(schema)}${alternatives}`;
};

export const renderFieldTable = (schema: JsonSchema, showsRequired: boolean): HtmlMarkup => {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0)
    return schema.enum === undefined && schema.oneOf === undefined
      ? html`<p class="quiet">An empty object.</p>`
      : html`<p class="names">${renderSchemaType(schema)}</p>`;
  const lines = fields.map(([name, property]) => {
    const needed = showsRequired && schema.required?.includes(name) === true ? ['required'] : [];
    const note = [...needed, property.description ?? []].flat().join('. ');
    return html`<tr><td><code>${name}</code></td><td>${renderSchemaType(property)}</td><td class="quiet">${note}</td></tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Fields"><table>
<thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead><tbody>${lines}</tbody></table></div>`;
};
