import type { TechnicianHelloResponse } from '@lintel/wire-protocol/technician/login';
import { readUnverifiedTechnicianPass } from '@lintel/wire-protocol/technician/unverified-technician-pass';
import { useEffect, useState } from 'preact/hooks';
import { formatDateTime } from '../messages/format-time.ts';
import { buildTechnicianPassRequestUrl } from '../pass/pass-request-urls.ts';
import { findValidTechnicianPass, getOrCreateTechnicianPassPublicKey } from '../pass/pass-store.ts';

/** The pass in this browser: undefined until it is known, null without a valid one. */
export const useStoredTechnicianPass = (): string | null | undefined => {
  const [pass, setPass] = useState<string | null | undefined>(undefined);
  useEffect(
    () =>
      void findValidTechnicianPass()
        .catch(() => null)
        .then(setPass),
    [],
  );
  return pass;
};

export const formatTechnicianPassExpiry = (pass: string): string =>
  formatDateTime(readUnverifiedTechnicianPass(pass)?.expires_at ?? 0);

/** Goes to the bridge, which returns to this page with a pass. Rejects when the browser cannot store the key. */
export const redirectToTechnicianPassRequest = async ({
  device_id,
  bridge_url,
}: TechnicianHelloResponse): Promise<void> => {
  if (device_id === null || bridge_url === null || !/^https?:/.test(bridge_url)) return;
  const public_key = await getOrCreateTechnicianPassPublicKey();
  location.assign(buildTechnicianPassRequestUrl(bridge_url, { device_id, public_key, return_to: location.origin }));
};
