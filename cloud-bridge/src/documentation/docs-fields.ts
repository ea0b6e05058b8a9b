import type { JsonSchema } from './json-schema.ts';
import { html, type Markup } from '../pages/markup.ts';

const refName = (ref: string): string => ref.split('/').at(-1) ?? ref;

const limits = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string => {
  const [from, to] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems];
  const far = (bound: number | undefined): boolean => bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER;
  if (far(from) && far(to)) return '';
  if (far(to)) return ` from ${from}`;
  return far(from) || from === 0 ? ` up to ${to}` : ` ${from} to ${to}`;
};

/** A schema in a few words: `string, date-time or null`. */
export const kindOf = (schema: JsonSchema): Markup => {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref);
    return html`<a href="#object-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    return html`${schema.enum.map((value, index) => html`${index === 0 ? '' : ', '}<code>${String(value)}</code>`)}`;
  }
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((one, index) => html`${index === 0 ? '' : ' or '}${kindOf(one)}`)}`;
  }
  if (schema.items !== undefined && typeof schema.items === 'object') {
    return html`array${limits(schema)} of ${kindOf(schema.items)}`;
  }
  const type = schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
  return html`${type}${schema.format === undefined ? '' : `, ${schema.format}`}${limits(schema)}`;
};

interface FieldRow {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly note: string;
}

const MOST_NESTING = 3;

/** Fields of nested objects with their dotted path, so that one table shows the whole. */
const fieldRows = (schema: JsonSchema, required: boolean, prefix = '', depth = 0): FieldRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const needed = schema.required?.includes(name) === true;
    const note = required && needed ? 'required' : property.default === undefined ? '' : byDefault(property.default);
    const row = { name: path, schema: property, note };
    if (depth >= MOST_NESTING) return [row];
    const nested = [property, ...(property.anyOf ?? [])].find(one => one.properties !== undefined);
    const items = typeof property.items === 'object' && property.items.properties !== undefined ? property.items : null;
    const inner = nested ?? items;
    if (inner === null) return [row];
    return [row, ...fieldRows(inner, required, `${path}${nested === undefined ? '[].' : '.'}`, depth + 1)];
  });

const byDefault = (value: unknown): string => `by default ${JSON.stringify(value)}`;

export const fieldTable = (schema: JsonSchema, showsRequired: boolean): Markup => {
  const rows = fieldRows(schema, showsRequired);
  if (rows.length === 0) return html`<p class="quiet">An empty object.</p>`;
  const lines = rows.map(
    ({ name, schema, note }) =>
      html`<tr><td><code>${name}</code></td><td>${kindOf(schema)}</td><td class="quiet">${note}</td></tr>`,
  );
  return html`<div class="scroll"><table>
<thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${lines}</tbody></table></div>`;
};
