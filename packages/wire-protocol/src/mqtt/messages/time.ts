import * as z from 'zod';
import { counter, milliseconds, nonce, revision, version } from '../message-fields.ts';

/**
 * The bridge's clock, in answer to a `time-request` or to a `hello`, whose nonce it quotes. The controller's monotonic clock
 * has run since it made the nonce, so it knows how old an answer can be at most, however long somebody kept it. The
 * bridge also says without being asked, quoting the session's nonce, how far its organization is: a controller that is
 * behind has been kept from something, and asks for it.
 */
export const time = z.object({
  v: version,
  nonce,
  time: milliseconds,
  revision,
  /** Of the newest revocation. */
  revoke_counter: counter,
});
export type Time = z.infer<typeof time>;
