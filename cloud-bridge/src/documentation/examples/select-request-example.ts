import type { JsonSchema } from '../openapi/json-schema-type-and-references.ts';

/** The example of the operation, an edit of the metadata, or an empty body. */
export const selectRequestExample = (
  operationId: string,
  { properties = {}, required = [] }: JsonSchema,
  examples: Readonly<Record<string, object>>,
): object => {
  const example = examples[operationId];
  if (example !== undefined) return example;
  const isMetadataEdit = operationId.startsWith('edit') && properties['metadata'] !== undefined;
  return isMetadataEdit && required.length === 0 ? { metadata: { source: 'pms', sourceID: '4711' } } : {};
};
