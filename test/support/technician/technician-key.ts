import { createP256Signer } from '@lintel/crypto/p256';

/** The key of all technicians without a browser. Their passes are for this key unless a test names another. */
export const technicianKey = createP256Signer();
