import { createP256Signer } from '@lintel/crypto/p256';
import { createTechnicianPassLoginRequest } from '@lintel/wire-protocol/technician/login-proof';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';
import { technicianKey } from '../support/technician/technician-key.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
  door.claim();
});
afterEach(() => door.remove());

const CHALLENGE_ERROR = expect.stringContaining('unknown, used or expired');
const signed = async (challenge: object) =>
  (await createTechnicianPassLoginRequest(door.passOf(), challenge as never, technicianKey.sign))!;
const result = async (login: object) => {
  const { status, body } = await door.client.sendLogin(login);
  return [status, body['message'] ?? body['by']];
};

describe('POST /challenge', () => {
  it('names the controller and its certificate', async () => {
    const { status, body } = await door.client.call('POST', '/challenge');
    expect([status, body]).toEqual([
      200,
      {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        device_id: 'dev_own',
        fingerprint: door.technician.fingerprint,
        expires_in: 60,
      },
    ]);
  });

  it('is limited for a client that does not log in', async () => {
    for (let count = 0; count < 10; count++) expect((await door.client.call('POST', '/challenge')).status).toBe(200);
    door.clock.at += 20_000;
    const { status, headers, body } = await door.client.call('POST', '/challenge');
    expect([status, headers['retry-after'], body['type']]).toEqual([429, '40', 'rate_limited']);
    door.clock.at += 40_000;
    for (let count = 0; count < 20; count++)
      expect((await door.client.login({ pass: door.passOf() })).status).toBe(200);
  });

  it('is limited for a client that sends wrong signatures', async () => {
    const thief = createP256Signer();
    for (let count = 0; count < 10; count++)
      expect((await door.client.login({ pass: door.passOf() }, thief)).status).toBe(401);
    expect((await door.client.call('POST', '/challenge')).status).toBe(429);
  });
});

describe('POST /login with a technician pass', () => {
  it('accepts the signature of a challenge by the key of the pass', async () => {
    expect(await result(await signed(await door.client.challenge()))).toEqual([200, 'pass']);
  });

  it('rejects a stolen pass without its key', async () => {
    const pass = door.passOf();
    const bare = await door.client.sendLogin({ pass });
    expect([bare.status, bare.body]).toEqual([
      400,
      {
        type: 'invalid_request',
        message: expect.stringContaining('a pass is accepted only with the signature of a challenge by its key'),
        args: { field: 'challenge', fields: 'challenge,signature' },
      },
    ]);
    const { status, body } = await door.client.login({ pass }, createP256Signer());
    expect([status, body['message']]).toEqual([401, expect.stringContaining('not by the key of the pass')]);
  });

  it('rejects a replayed login', async () => {
    const login = await signed(await door.client.challenge());
    expect(await result(login)).toEqual([200, 'pass']);
    expect(await result(login)).toEqual([401, CHALLENGE_ERROR]);
  });

  it('rejects a second attempt with the same challenge', async () => {
    const login = await signed(await door.client.challenge());
    expect((await result({ ...login, signature: 'A'.repeat(86) }))[0]).toBe(401);
    expect(await result(login)).toEqual([401, CHALLENGE_ERROR]);
  });

  it('rejects an expired and an invented challenge, and one from before a restart', async () => {
    const login = await signed(await door.client.challenge());
    door.clock.at += 60_000;
    expect(await result(login)).toEqual([401, CHALLENGE_ERROR]);
    const challenge = await door.client.challenge();
    expect(await result(await signed({ ...challenge, challenge: 'A'.repeat(43) }))).toEqual([401, CHALLENGE_ERROR]);
    const early = await signed(challenge);
    await door.close();
    await door.open();
    expect(await result(early)).toEqual([401, CHALLENGE_ERROR]);
  });

  it('rejects a signature for another controller, and for another certificate', async () => {
    for (const change of [{ device_id: 'dev_other' }, { fingerprint: 'AB:CD' }]) {
      const challenge = await door.client.challenge();
      expect((await result(await signed({ ...challenge, ...change })))[0]).toBe(401);
    }
  });

  it('rejects a login that a hostile controller relays', async () => {
    const hostile = await TechnicianApiFixture.create();
    try {
      hostile.claim();
      // The technician signs for the controller that the hostile page names: itself.
      const { challenge } = await door.client.challenge();
      const { device_id, fingerprint } = await hostile.client.challenge();
      const login = await signed({ challenge, device_id, fingerprint });
      expect(fingerprint).not.toBe(door.technician.fingerprint);
      expect((await result(login))[0]).toBe(401);
      expect((await door.client.sendLogin(await signed(await hostile.client.challenge()))).status).toBe(401);
    } finally {
      await hostile.remove();
    }
  });

  it('rejects a proof beside a setup code', async () => {
    const { status, body } = await door.client.sendLogin({ code: door.setupCode, challenge: 'x' });
    expect([status, body['args']]).toEqual([400, { field: 'challenge' }]);
  });
});
