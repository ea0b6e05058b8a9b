import type { GadgetId } from '@lintel/access-core/ids';
import {
  type FeedbackTestResponse,
  feedbackTestRequestSchema,
  type TechnicianGadgetActionResponse,
  type NextCardResponse,
  outputPulseRequestSchema,
} from '@lintel/wire-protocol/technician/hardware-tests';
import * as z from 'zod';
import type { OutputTestResult } from '../../controller/technician-view-and-actions.ts';
import { captureNextTapForTechnician } from '../capture-next-tap.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const tapNames = { card: 'card', phone: 'phone', magic_link: 'QR code' } as const;

const nothing = z.strictObject({});

const toPulseError = (
  output: string,
  pulsed: Exclude<OutputTestResult, { outcome: 'done' }>,
): TechnicianRequestError => {
  switch (pulsed.outcome) {
    case 'unknown':
      return new TechnicianRequestError('not_found', `Unknown output: ${output}`, { output });
    case 'owned': {
      const message = `${output} belongs to a gadget: test it with an action of the gadget`;
      return new TechnicianRequestError('conflict', message, { reason: 'gadget', gadget_id: pulsed.gadget_id });
    }
    case 'busy':
      return new TechnicianRequestError('conflict', 'Another output is being tested', { reason: 'busy' });
    case 'failed':
      return new TechnicianRequestError('conflict', pulsed.message, { reason: 'failed' });
  }
};

const pulse = ({ controller: { technician }, testLog }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'POST',
  path: '/outputs/:output/pulse',
  handle: ({ request, session }) => {
    const { output = '' } = request.params as { readonly output?: string };
    const { ms } = parseTechnicianRequestBody(outputPulseRequestSchema, request.body);
    const pulsed = technician.pulseOutput(output, ms, session.technician);
    const id = `output:${output}`;
    if (pulsed.outcome === 'done') {
      testLog.recordObservation(id, session.technician, { ok: true, what: `switched on for ${ms} ms` });
      return {};
    }
    if (pulsed.outcome === 'failed')
      testLog.recordObservation(id, session.technician, { ok: false, what: pulsed.message });
    throw toPulseError(output, pulsed);
  },
});

const action = ({ controller: { technician }, testLog }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'POST',
  path: '/gadgets/:gadget_id/actions/:action_id',
  handle: ({ request, session }): TechnicianGadgetActionResponse => {
    const { gadget_id, action_id } = request.params as { readonly gadget_id: GadgetId; readonly action_id: string };
    parseTechnicianRequestBody(nothing, request.body);
    const result = technician.execute({ gadget_id, action_id }, session.technician);
    if (result === null) {
      const message = 'Unknown gadget or action';
      throw new TechnicianRequestError('not_found', message, { gadget_id, action_id });
    }
    const isDone = result.outcome === 'done';
    const sight = { ok: isDone, what: isDone ? 'done' : result.reason };
    testLog.recordObservation(`gadget:${gadget_id}:${action_id}`, session.technician, sight);
    if (result.outcome !== 'done')
      throw new TechnicianRequestError('conflict', result.reason, { reason: result.outcome });
    return { event_id: result.event.id };
  },
});

const feedback = ({ controller: { technician }, testLog }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'POST',
  path: '/stations/:station/feedback',
  handle: ({ request, session }): FeedbackTestResponse => {
    const { station = '' } = request.params as { readonly station?: string };
    const { pattern } = parseTechnicianRequestBody(feedbackTestRequestSchema, request.body);
    const played = technician.playFeedback(station, pattern);
    if (played.outcome === 'unknown')
      throw new TechnicianRequestError('not_found', `Unknown station: ${station}`, { station });
    const id = `feedback:${station}`;
    if (played.outcome === 'failed') {
      testLog.recordObservation(id, session.technician, { ok: false, what: played.message });
      throw new TechnicianRequestError('conflict', played.message, { reason: 'failed' });
    }
    const { lines } = played;
    const what = lines.length === 0 ? 'no light or buzzer is fitted' : `${pattern} on ${lines.join(', ')}`;
    testLog.recordObservation(id, session.technician, { ok: lines.length > 0, what });
    return { lines: [...lines] };
  },
});

/** Only this response contains the uid. The log, the live view and the tests do not. */
const nextCard = ({ controller: { technician }, testLog }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'POST',
  path: '/readers/:station/next_card',
  handle: async ({ request, reply, session }): Promise<NextCardResponse> => {
    const { station = '' } = request.params as { readonly station?: string };
    parseTechnicianRequestBody(nothing, request.body);
    if (!technician.stations().some(({ id, reader }) => id === station && reader))
      throw new TechnicianRequestError('not_found', `Unknown reader: ${station}`, { station });
    const tap = await captureNextTapForTechnician(technician.tapCapture, { reply }, 'reader test', { station });
    const what = tap === null ? 'no card within 30 s' : `a ${tapNames[tap.kind]} was read`;
    testLog.recordObservation(`reader:${station}`, session.technician, { ok: tap !== null, what });
    if (tap === null) return { outcome: 'no_card', station, uid: null };
    return { outcome: tap.kind, station, uid: tap.kind === 'card' ? tap.uid : null };
  },
});

export const createHardwareTestRoutes = (parts: TechnicianApiDependencies): TechnicianRoute[] => [
  pulse(parts),
  action(parts),
  feedback(parts),
  nextCard(parts),
];
