import type { GadgetId } from '@lintel/access-core/ids';
import {
  type FeedbackPlayed,
  feedbackTest,
  type GadgetActionDone,
  type NextCard,
  outputPulse,
} from '@lintel/wire-protocol/technician/tests';
import * as z from 'zod';
import type { PulseResult } from '../../controller/technician-actions.ts';
import { awaitedTap } from '../awaited-tap.ts';
import { bodyAs } from '../http/http-errors.ts';
import type { Route } from '../http/route.ts';
import { TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const nothing = z.strictObject({});

const pulseProblem = (output: string, pulsed: Exclude<PulseResult, { outcome: 'done' }>): TechnicianError => {
  switch (pulsed.outcome) {
    case 'unknown':
      return new TechnicianError('not_found', `There is no output ${output}`, { output });
    case 'owned': {
      const message = `${output} belongs to a gadget: try it by one of the gadget's actions`;
      return new TechnicianError('conflict', message, { reason: 'gadget', gadget_id: pulsed.gadget_id });
    }
    case 'busy':
      return new TechnicianError('conflict', 'Another output is being tested: one at a time', { reason: 'busy' });
    case 'failed':
      return new TechnicianError('conflict', pulsed.message, { reason: 'failed' });
  }
};

const pulse = ({ controller: { technician }, tests }: TechnicianParts): Route => ({
  method: 'POST',
  path: '/outputs/:output/pulse',
  handle: ({ request, session }) => {
    const { output = '' } = request.params as { readonly output?: string };
    const { ms } = bodyAs(outputPulse, request.body);
    const pulsed = technician.pulse(output, ms, session.technician);
    const id = `output:${output}`;
    if (pulsed.outcome === 'done') {
      tests.saw(id, session.technician, { ok: true, what: `switched on for ${ms} ms` });
      return {};
    }
    if (pulsed.outcome === 'failed') tests.saw(id, session.technician, { ok: false, what: pulsed.message });
    throw pulseProblem(output, pulsed);
  },
});

const action = ({ controller: { technician }, tests }: TechnicianParts): Route => ({
  method: 'POST',
  path: '/gadgets/:gadget_id/actions/:action_id',
  handle: ({ request, session }): GadgetActionDone => {
    const { gadget_id, action_id } = request.params as { readonly gadget_id: GadgetId; readonly action_id: string };
    bodyAs(nothing, request.body);
    const result = technician.execute({ gadget_id, action_id }, session.technician);
    if (result === null) {
      const message = 'This controller has no such gadget, or the gadget no such action';
      throw new TechnicianError('not_found', message, { gadget_id, action_id });
    }
    const isDone = result.outcome === 'done';
    const sight = { ok: isDone, what: isDone ? 'done' : result.reason };
    tests.saw(`gadget:${gadget_id}:${action_id}`, session.technician, sight);
    if (result.outcome !== 'done') throw new TechnicianError('conflict', result.reason, { reason: result.outcome });
    return { event_id: result.event.id };
  },
});

const feedback = ({ controller: { technician }, tests }: TechnicianParts): Route => ({
  method: 'POST',
  path: '/stations/:station/feedback',
  handle: ({ request, session }): FeedbackPlayed => {
    const { station = '' } = request.params as { readonly station?: string };
    const { pattern } = bodyAs(feedbackTest, request.body);
    const played = technician.feedback(station, pattern);
    if (played.outcome === 'unknown')
      throw new TechnicianError('not_found', `There is no station ${station}`, { station });
    const id = `feedback:${station}`;
    if (played.outcome === 'failed') {
      tests.saw(id, session.technician, { ok: false, what: played.message });
      throw new TechnicianError('conflict', played.message, { reason: 'failed' });
    }
    const { lines } = played;
    const what = lines.length === 0 ? 'no light and no buzzer is fitted' : `${pattern} on ${lines.join(', ')}`;
    tests.saw(id, session.technician, { ok: lines.length > 0, what });
    return { lines: [...lines] };
  },
});

/** The uid is in this answer and nowhere else: neither in the log, nor in the live view, nor among the tests. */
const nextCard = ({ controller: { technician }, tests }: TechnicianParts): Route => ({
  method: 'POST',
  path: '/readers/:station/next_card',
  handle: async ({ request, reply, session }): Promise<NextCard> => {
    const { station = '' } = request.params as { readonly station?: string };
    bodyAs(nothing, request.body);
    if (!technician.stations().some(({ id, reader }) => id === station && reader))
      throw new TechnicianError('not_found', `There is no reader ${station}`, { station });
    const tap = await awaitedTap(technician.nextTap, { reply }, 'a test of the reader', station);
    const what = tap === null ? 'no card within 30 s' : `a ${tap.kind} was read`;
    tests.saw(`reader:${station}`, session.technician, { ok: tap !== null, what });
    if (tap === null) return { outcome: 'no_card', station, uid: null };
    return { outcome: tap.kind, station, uid: tap.kind === 'card' ? tap.uid : null };
  },
});

export const hardwareTestRoutes = (parts: TechnicianParts): Route[] => [
  pulse(parts),
  action(parts),
  feedback(parts),
  nextCard(parts),
];
