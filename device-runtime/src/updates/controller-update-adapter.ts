import type { UpdatableProgram } from '@lintel/updates/updatable-program-interface';
import type { ControllerInstance } from '../main.ts';
import { waitUntilControllerIdle, createUpdateClock } from './wait-until-controller-idle.ts';

/** Faults with external causes, which do not count against a version. */
const EXTERNAL_FAULTS =
  /^(?:tamper|clock_refused|slice_old|slice_refused|event_buffer_full|claimed_again|update)(?::|$)/;

/** Faults that a new version may have caused. */
const listProgramFaults = (faults: readonly { readonly code: string }[]): string[] =>
  faults.map(({ code }) => code).filter(code => !EXTERNAL_FAULTS.test(code));

/** Proxies to the bridge without a direct connection. */
type Proxies = (organizationId: string) => readonly string[];

/** Adapts a controller to the update process. */
export const createControllerUpdateAdapter = (device: ControllerInstance, proxies: Proxies): UpdatableProgram => {
  const { controller } = device;
  return {
    clock: createUpdateClock(controller.technician.clock),
    quietMs: 10_000,
    waitUntilIdle: options => waitUntilControllerIdle({ controller }, options),
    bridgeAccess: () => {
      const enrollment = device.enrollment();
      if (enrollment === null) return null;
      const { bridge_url, ca_fingerprint, ca_certificate, organization_id } = enrollment;
      const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
      const now = device.time.signedNow();
      return { bridgeUrl: bridge_url, httpOptions: { trust, now, proxies: proxies(organization_id) } };
    },
    health: () => ({
      isServing: true,
      isResponsive: controller.isHealthy(),
      online: device.upstream()?.online ?? false,
      faults: listProgramFaults(controller.faults()),
    }),
    recordEvent: (kind, text) => controller.recordUpdate(kind, text),
  };
};
