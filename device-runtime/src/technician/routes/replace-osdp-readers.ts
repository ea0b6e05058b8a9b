import type { ReaderReplacement, ReplaceableReader } from '@lintel/drivers/interfaces';
import {
  type ReaderReplacementResponse,
  type ReplaceableReadersResponse,
  replaceReaderRequestSchema,
} from '@lintel/wire-protocol/technician/reader-replacement';
import * as z from 'zod';
import type { AuthenticatedTechnicianRequest, TechnicianRoute } from '../http/technician-route-definition.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

/** Within this time the technician disconnects the old reader and connects the new one. */
const WINDOW_MS = 5 * 60_000;

const results = { done: 'passed', timed_out: 'failed', canceled: 'skipped', waiting: 'failed' } as const;

const describeSeen = ({ seen, message, found_address }: ReaderReplacement, address: number): string => {
  switch (seen) {
    case 'old_reader':
      return 'The old reader still responds. Disconnect it, then connect the new one.';
    case 'no_answer':
      return `No reader responds. Check cable and power, and set the new reader to address ${address} and the baud rate of the bus.`;
    case 'other_address':
      return `A reader responds at address ${found_address}. Set it to address ${address}, with its switches or the maker's card.`;
    case 'refused':
      return `${message ?? 'The reader is refused'}.`;
    case 'connecting':
      return 'Connecting to the reader.';
  }
};

const describeIdentity = ({ identity }: ReaderReplacement): string =>
  identity === null
    ? ''
    : ` Vendor ${identity.vendor}, model ${identity.model}, serial number ${identity.serial}, firmware ${identity.firmware}.`;

const describeReplacement = (replacement: ReaderReplacement, address: number): string => {
  switch (replacement.state) {
    case 'done':
      return `The reader was replaced and has a new key.${describeIdentity(replacement)} Test it with a card.`;
    case 'canceled':
      return 'Canceled. Only the reader with the stored key is accepted.';
    case 'timed_out':
      return `Not replaced. ${describeSeen(replacement, address)} Then try again.`;
    case 'waiting':
      return describeSeen(replacement, address);
  }
};

const toResponse = (replacement: ReaderReplacement, address: number): ReaderReplacementResponse => {
  const { message: _, ...shown } = replacement;
  return { ...shown, text: describeReplacement(replacement, address) };
};

/** Replaces OSDP readers: the new one is accepted for some minutes, and gets a key of its own. */
export const createOsdpReaderRoutes = (context: TechnicianApiDependencies): TechnicianRoute[] => {
  const { profile, replaceableReaders, testLog, log } = context;

  const find = ({ request }: AuthenticatedTechnicianRequest): ReplaceableReader & { readonly name: string } => {
    const { reader: name = '' } = request.params as { readonly reader?: string };
    const found = replaceableReaders().find(({ readers }) => readers.includes(name));
    if (found === undefined) throw new TechnicianRequestError('not_found', `Unknown reader: ${name}`, { reader: name });
    return { ...found, name: found.readers[0] ?? name };
  };

  const toResponseOrNull = (reader: ReplaceableReader): ReaderReplacementResponse | null => {
    const replacement = reader.replacement();
    return replacement && toResponse(replacement, reader.address);
  };

  const stationsOf = ({ readers }: ReplaceableReader): string[] =>
    Object.entries(profile?.stations ?? {}).flatMap(([station, { reader, keypad }]) =>
      readers.some(name => name === reader || name === keypad) ? [station] : [],
    );

  return [
    {
      method: 'GET',
      path: '/osdp_readers',
      handle: (): ReplaceableReadersResponse => ({
        data: replaceableReaders().map(reader => ({
          reader: reader.readers[0] ?? '',
          stations: stationsOf(reader),
          address: reader.address,
          fault: reader.fault()?.message ?? null,
          replacement: toResponseOrNull(reader),
        })),
      }),
    },
    {
      method: 'POST',
      path: '/osdp_readers/:reader/replace',
      handle: (authenticated): ReaderReplacementResponse => {
        const reader = find(authenticated);
        const other = replaceableReaders().find(one => one.replacement()?.state === 'waiting');
        if (other !== undefined)
          throw new TechnicianRequestError('conflict', `${other.readers[0]} is being replaced`, { reason: 'busy' });
        const { key } = parseTechnicianRequestBody(replaceReaderRequestSchema, authenticated.request.body);
        const { technician } = authenticated.session;
        const id = `replace_reader:${reader.name}`;
        const facts = { reader: reader.name, address: reader.address, user: String(technician.user_id) };
        reader.startReplacement({
          key: key === null ? null : Uint8Array.from(Buffer.from(key, 'hex')),
          forMs: WINDOW_MS,
          onEnd: replacement => {
            const what = describeReplacement(replacement, reader.address);
            testLog.recordResult({ id, result: results[replacement.state] }, technician, {
              ok: replacement.state === 'done',
              what,
            });
            log(replacement.state === 'done' ? 'info' : 'warn', 'The replacement of a reader ended', {
              ...facts,
              what,
            });
          },
        });
        testLog.recordObservation(id, technician, { ok: false, what: 'waits for the new reader' });
        log('warn', 'A new reader is accepted for 5 minutes', { ...facts, with: key === null ? 'default key' : 'key' });
        return toResponse(reader.replacement()!, reader.address);
      },
    },
    {
      method: 'DELETE',
      path: '/osdp_readers/:reader/replace',
      handle: (authenticated): ReaderReplacementResponse | Record<string, never> => {
        const reader = find(authenticated);
        parseTechnicianRequestBody(z.strictObject({}), authenticated.request.body ?? {});
        reader.cancelReplacement();
        return {};
      },
    },
  ];
};
