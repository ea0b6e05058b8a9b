import { type Id, type IdKind, idPrefixes, parseId } from '@lintel/access-core/ids';
import * as z from 'zod';
import { schemaFromParser } from './schema-from-parser.ts';

export const idSchema = <K extends IdKind>(kind: K): z.ZodType<Id<K>, Id<K>> =>
  schemaFromParser(z.string().regex(new RegExp(`^${idPrefixes[kind]}[0-9A-Za-z_-]{1,64}$`)), (value, path) =>
    parseId(kind, value, path),
  );
