import { type Id, type IdKind, idPrefixes, parseId } from '@lintel/access-core/ids';
import * as z from 'zod';
import { fromParser } from './from-parser.ts';

export const idOf = <K extends IdKind>(kind: K): z.ZodType<Id<K>, Id<K>> =>
  fromParser(z.string().regex(new RegExp(`^${idPrefixes[kind]}[0-9A-Za-z_-]{1,64}$`)), (value, path) =>
    parseId(kind, value, path),
  );
