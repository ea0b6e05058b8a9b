import { randomUUID } from 'node:crypto';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { startWaitingForPcscTap, type PcscTap } from '@lintel/drivers/pcsc';
import type {
  AssignablePcscReadersResponse,
  PcscReaderAssignmentResponse,
} from '@lintel/wire-protocol/technician/pcsc-reader-assignment';
import * as z from 'zod';
import { captureNextTapForTechnician } from '../capture-next-tap.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { AuthenticatedTechnicianRequest, TechnicianRoute } from '../http/technician-route-definition.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const PURPOSE = 'reader assignment';
/** The time in which the controller itself reads the card, so that the tap opens nothing. */
const OWN_READING_MS = 1_500;

const listAssignableReaders = (profile: Profile | null): readonly string[] =>
  Object.values(profile?.buses ?? {}).flatMap(bus =>
    bus.driver === 'pcsc'
      ? Object.entries(bus.readers).flatMap(([name, { assign }]) => (assign === 'by_tap' ? [name] : []))
      : [],
  );

const findStation = (profile: Profile | null, reader: string): string | null =>
  Object.entries(profile?.stations ?? {}).find(([, station]) => station.reader === reader)?.[0] ?? null;

/** Assigns equal PC/SC readers to the readers of the profile, by a card that is presented at one of them. */
export const createPcscReaderRoutes = (context: TechnicianApiDependencies): TechnicianRoute[] => {
  const { controller, profile, pcscReaders, createPcscService, log } = context;
  const { tapCapture } = controller.technician;

  /** The tap is captured for the technician too, so that an assigned reader opens no door by it. */
  const nextTap = async (request: Pick<AuthenticatedTechnicianRequest, 'reply'>): Promise<PcscTap | null> => {
    const waiter = await startWaitingForPcscTap(createPcscService()).catch((error: Error) => {
      throw new TechnicianRequestError('conflict', `The PC/SC service does not respond: ${error.message}`, {
        reason: 'no_pcsc_service',
      });
    });
    const owner = randomUUID();
    const captured = captureNextTapForTechnician(tapCapture, request, PURPOSE, { owner });
    // A timeout or a disconnected client ends the wait. A tap that the controller read is also seen by the waiter.
    void captured.then(tap => (tap === null ? waiter.stop() : undefined), waiter.stop);
    try {
      const tap = await waiter.tap;
      await Promise.race([captured, new Promise(done => setTimeout(done, OWN_READING_MS).unref())]);
      return tap;
    } finally {
      tapCapture.cancel(PURPOSE, owner);
    }
  };

  return [
    {
      method: 'GET',
      path: '/pcsc_readers',
      handle: (): AssignablePcscReadersResponse => ({
        data: listAssignableReaders(profile).map(reader => ({
          reader,
          station: findStation(profile, reader),
          usb_path: pcscReaders.usbPathOf(reader),
        })),
      }),
    },
    {
      method: 'POST',
      path: '/pcsc_readers/:reader/assign',
      handle: async ({ request, reply, session }): Promise<PcscReaderAssignmentResponse> => {
        const { reader = '' } = request.params as { readonly reader?: string };
        parseTechnicianRequestBody(z.strictObject({}), request.body);
        if (!listAssignableReaders(profile).includes(reader))
          throw new TechnicianRequestError('not_found', `Unknown reader: ${reader}`, { reader });
        const tap = await nextTap({ reply });
        if (tap === null) return { outcome: 'no_card', usb_path: null, released: null };
        if (tap.place === null) return { outcome: 'unknown_place', usb_path: null, released: null };
        const { usb_path } = tap.place;
        const released = pcscReaders.assign(reader, usb_path);
        log('info', 'A PC/SC reader was assigned', { reader, usb_path, user: String(session.technician.user_id) });
        return { outcome: 'assigned', usb_path, released };
      },
    },
  ];
};
