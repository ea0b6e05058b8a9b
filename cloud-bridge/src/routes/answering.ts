import type { Call } from '../http/endpoint.ts';
import { expandOf } from '../reading/reader.ts';
import { type ApiObject, type ReadableType, type Row, sources } from '../reading/source.ts';
import type { Viewer } from '../reading/viewer.ts';
import type { Services } from '../services.ts';

/**
 * A write whose answer is the object: the row it returns, as the API shows it, with the expands that were asked for.
 * They are read before the write, so that a wrong one changes nothing. `revealed` names what this answer alone shows
 * beyond the object's own fields: a secret.
 */
export const answering =
  <C extends Call<unknown, Viewer>>(
    { reader }: Services,
    type: ReadableType,
    write: (call: C) => Promise<object>,
    revealed: readonly string[] = [],
  ) =>
  async (call: C): Promise<ApiObject> => {
    const expand = expandOf(type, call.query);
    const row = (await write(call)) as Row;
    const object = sources[type].toObject(row);
    for (const name of revealed) object[name] = row[name];
    await reader.expand(call.caller, [object], expand);
    return object;
  };
