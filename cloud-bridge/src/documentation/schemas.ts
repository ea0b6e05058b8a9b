import { errorAnswer } from '@lintel/wire-protocol/rest/error';
import * as z from 'zod';
import type { EndpointDescription } from '../api/endpoint.ts';
import type { JsonSchema } from './json-schema.ts';

const AT = '#/components/schemas/';

/** `post_members_pins_reveal`: the operation by its method and its address without parameters. */
export const operationId = ({ method, path }: EndpointDescription): string => {
  const words = path.split('/').map(part => (part.startsWith(':') ? 'by_id' : part));
  return [method.toLowerCase(), ...words.filter(word => word !== '')].join('_');
};

const ownNames = new Set(['$schema', '$id', 'id']);

/** Without the names by which a schema standing alone is known. */
const bare = (schema: object): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !ownNames.has(name)));

/** Inputs as a caller may write them: what has a default may be left out. */
export const bodySchema = (body: z.ZodType): JsonSchema => bare(z.toJSONSchema(body, { io: 'input' }));

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  answerOf(endpoint: EndpointDescription): JsonSchema;
}

/** Every object of the API under its own name, and what else endpoints answer under the endpoint's. */
export const componentsOf = (
  endpoints: readonly EndpointDescription[],
  objects: Readonly<Record<string, z.ZodType>>,
): Components => {
  const registry = z.registry<{ id: string }>();
  for (const [name, answer] of Object.entries(objects)) registry.add(answer, { id: name });
  registry.add(errorAnswer, { id: 'error' });
  for (const endpoint of endpoints) {
    if (registry.has(endpoint.answer)) continue;
    const own = endpoint.isList === true && endpoint.object !== undefined ? `${endpoint.object}_page` : null;
    registry.add(endpoint.answer, { id: own ?? `${operationId(endpoint)}_answer` });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: id => AT + id });
  const named = Object.entries(schemas) as Array<[string, Record<string, unknown>]>;
  return {
    schemas: Object.fromEntries(named.map(([name, schema]) => [name, bare(schema)])),
    answerOf: ({ answer }) => ({ $ref: AT + registry.get(answer)!.id }),
  };
};
