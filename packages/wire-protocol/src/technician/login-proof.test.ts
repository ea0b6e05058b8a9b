import { describe, expect, it } from 'vitest';
import { createTechnicianPassLoginRequest, encodeTechnicianLoginProofSigningBytes } from './login-proof.ts';
import type { TechnicianChallengeResponse } from './login.ts';

const proof = { challenge: 'abc', device_id: 'dev_1', fingerprint: 'AB:CD', pass_id: 'pass_1' } as never;

describe('login proof', () => {
  it('covers the challenge, the controller, its certificate and the pass', () => {
    const bytes = (change: object) =>
      Buffer.from(encodeTechnicianLoginProofSigningBytes({ ...(proof as object), ...change } as never));
    const all = [
      {},
      { challenge: 'x' },
      { device_id: 'dev_2' },
      { fingerprint: 'AB' },
      { pass_id: 'pass_2' },
      { device_id: 'dev_1A', fingerprint: 'B:CD' },
    ].map(change => bytes(change).toString('hex'));
    expect(new Set(all).size).toBe(all.length);
    expect(bytes({}).toString()).toContain('lintel technician login 1');
  });

  it('is not created for text that is not a pass', async () => {
    expect(
      await createTechnicianPassLoginRequest(
        'nonsense',
        proof as TechnicianChallengeResponse,
        () => new Uint8Array(64),
      ),
    ).toBeNull();
  });
});
