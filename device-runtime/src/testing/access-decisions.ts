import { AccessChecker } from '../access/access-checker.ts';
import { DeviceCredentialDigester } from '../credentials/credential-digests.ts';
import { RevocationLog } from '../credentials/revocation-log.ts';
import type { ControllerInstance } from '../main.ts';
import { DataAuthenticator } from '../state/data-authenticator.ts';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';

/** Decides as the controller does, without events and outputs. `state`: of the revocations. */
export const createAccessChecker = (
  { controller, digestKey, time }: Pick<ControllerInstance, 'controller' | 'digestKey' | 'time'>,
  state: ControllerStateStore,
): AccessChecker =>
  new AccessChecker({
    snapshot: () => controller.snapshot,
    digests: new DeviceCredentialDigester(digestKey),
    revocations: new RevocationLog(state, new DataAuthenticator(digestKey)),
    commissioning: { technicianWith: () => null, isPrefix: () => false },
    clock: time,
    isSnapshotValid: () => true,
    untrustedTime: 'refuse',
  });
