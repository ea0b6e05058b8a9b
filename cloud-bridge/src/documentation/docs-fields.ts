import type { JsonSchema } from './json-schema.ts';
import { html, type Markup } from '../pages/markup.ts';

const refName = (ref: string): string => ref.split('/').at(-1) ?? ref;

const limits = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string => {
  const [from, to] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems];
  const isUnbounded = (bound: number | undefined): boolean =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER;
  if (isUnbounded(from) && isUnbounded(to)) return '';
  if (isUnbounded(to)) return ` from ${from}`;
  return isUnbounded(from) || from === 0 ? ` up to ${to}` : ` ${from} to ${to}`;
};

/** A short description of a schema: `string, date-time or null`. */
export const describeSchemaType = (schema: JsonSchema): Markup => {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref);
    return html`<a href="#object-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    return html`${schema.enum.map((value, index) => html`${index === 0 ? '' : ', '}<code>${String(value)}</code>`)}`;
  }
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((option, index) => html`${index === 0 ? '' : ' or '}${describeSchemaType(option)}`)}`;
  }
  if (schema.items !== undefined && typeof schema.items === 'object') {
    return html`array${limits(schema)} of ${describeSchemaType(schema.items)}`;
  }
  const type = schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
  return html`${type}${schema.format === undefined ? '' : `, ${schema.format}`}${limits(schema)}`;
};

interface FieldRow {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly note: string;
}

const MAX_DEPTH = 3;

/** Includes the fields of nested objects, with dotted paths. */
const fieldRows = (schema: JsonSchema, required: boolean, prefix = '', depth = 0): FieldRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const needed = schema.required?.includes(name) === true;
    const note = required && needed ? 'required' : property.default === undefined ? '' : defaultText(property.default);
    const row = { name: path, schema: property, note };
    if (depth >= MAX_DEPTH) return [row];
    const nested = [property, ...(property.anyOf ?? [])].find(option => option.properties !== undefined);
    const items = typeof property.items === 'object' && property.items.properties !== undefined ? property.items : null;
    const inner = nested ?? items;
    if (inner === null) return [row];
    return [row, ...fieldRows(inner, required, `${path}${nested === undefined ? '[].' : '.'}`, depth + 1)];
  });

const defaultText = (value: unknown): string => `default ${JSON.stringify(value)}`;

export const fieldTable = (schema: JsonSchema, showsRequired: boolean): Markup => {
  const rows = fieldRows(schema, showsRequired);
  if (rows.length === 0) return html`<p class="quiet">An empty object.</p>`;
  const lines = rows.map(
    ({ name, schema, note }) =>
      html`<tr><td><code>${name}</code></td><td>${describeSchemaType(schema)}</td><td class="quiet">${note}</td></tr>`,
  );
  return html`<div class="scroll"><table>
<thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${lines}</tbody></table></div>`;
};
