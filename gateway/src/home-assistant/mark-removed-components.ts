import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import * as z from 'zod';

const discoverySchema = z.looseObject({ components: z.record(z.string(), z.looseObject({ platform: z.string() })) });

const parseDiscovery = (payload: string): z.infer<typeof discoverySchema> | null => {
  try {
    const parsed = parseWithSchema(discoverySchema, JSON.parse(payload));
    return parsed.ok ? parsed.value : null;
  } catch {
    return null;
  }
};

/** The platforms of the components in a discovery document, by id. Empty if the document is not readable. */
export const parseHomeAssistantComponentPlatforms = (payload: string): ReadonlyMap<string, string> =>
  new Map(Object.entries(parseDiscovery(payload)?.components ?? {}).map(([id, { platform }]) => [id, platform]));

/**
 * The new document with the components that only the earlier one has, each with nothing but its platform. Null if there
 * are none.
 */
export const markRemovedHomeAssistantComponents = (earlier: string, payload: string): string | null => {
  const document = parseDiscovery(payload);
  if (document === null) return null;
  const removed = [...parseHomeAssistantComponentPlatforms(earlier)].filter(
    ([id]) => !Object.hasOwn(document.components, id),
  );
  if (removed.length === 0) return null;
  const components = {
    ...document.components,
    ...Object.fromEntries(removed.map(([id, platform]) => [id, { platform }])),
  };
  return JSON.stringify({ ...document, components });
};
