import { type Id, type IdKind, idPrefixes, parseId } from '@lintel/access-core/ids';
import * as z from 'zod';
import { schemaFromParser } from './schema-from-parser.ts';

const nameOf = (kind: IdKind): string =>
  kind
    .replaceAll('_', ' ')
    .replace(/\bpin$/, 'PIN')
    .replace(/^oauth /, 'OAuth ');

/** The description is for fields whose name says which object it is. */
export const idSchema = <K extends IdKind>(kind: K): z.ZodType<Id<K>, Id<K>> =>
  schemaFromParser(
    z
      .string()
      .regex(new RegExp(`^${idPrefixes[kind]}[0-9A-Za-z_-]{1,64}$`))
      .describe(`Id of the ${nameOf(kind)}: ${idPrefixes[kind]} and an opaque suffix`),
    (value, path) => parseId(kind, value, path),
  );
