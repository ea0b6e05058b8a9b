import type { UpdatedProgram } from '@lintel/updates/updated-program';
import type { RunningController } from '../main.ts';
import { quietMoment, updateClock } from './quiet-moment.ts';

/** Come and go with the world around a controller, whatever program it runs. */
const OUTER_FAULTS = /^(?:tamper|clock_refused|slice_old|slice_refused|event_buffer_full|claimed_anew|update)(?::|$)/;

/** What another version could be to blame for. */
export const ownFaults = (faults: readonly { readonly code: string }[]): string[] =>
  faults.map(({ code }) => code).filter(code => !OUTER_FAULTS.test(code));

/** Ways to the bridge where there is no direct one. */
type Proxies = (organizationId: string) => readonly string[];

/** A controller as something that makes way for another version of itself. */
export const updatedController = (device: RunningController, proxies: Proxies): UpdatedProgram => {
  const { controller } = device;
  return {
    clock: updateClock(controller.technician.clock),
    quietMs: 10_000,
    quiet: terms => quietMoment({ controller }, terms),
    way: () => {
      const membership = device.membership();
      if (membership === null) return null;
      const { bridge_url, ca_fingerprint, ca_certificate, organization_id } = membership;
      const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
      const now = device.time.signedNow();
      return { bridgeUrl: bridge_url, terms: { trust, now, proxies: proxies(organization_id) } };
    },
    health: () => ({
      isServing: true,
      isWell: controller.isWell(),
      online: device.upstream()?.online ?? false,
      faults: ownFaults(controller.faults()),
    }),
    note: (what, words) => controller.noteUpdate(what, words),
  };
};
