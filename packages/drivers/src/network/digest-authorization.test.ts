import { describe, expect, it } from 'vitest';
import { createDigestAuthorization, parseDigestChallenge } from './http-relays.ts';

// The example of RFC 7616, section 3.9.1.
const header =
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, ' +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

describe('digest authorization', () => {
  it('computes the response of RFC 7616', () => {
    const authorization = createDigestAuthorization(parseDigestChallenge(header)!, {
      user: 'Mufasa',
      password: 'Circle of Life',
      method: 'GET',
      uri: '/dir/index.html',
      count: 1,
      clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    });
    expect(authorization).toContain('response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"');
    expect(authorization).toContain('nc=00000001');
    expect(authorization).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  });

  it.each([
    ['no challenge', null],
    ['another scheme', 'Basic realm="x"'],
    ['MD5', header.replace('SHA-256', 'MD5')],
    ['no algorithm, which means MD5', header.replace('algorithm=SHA-256, ', '')],
    ['no quality of protection', header.replace('qop="auth, auth-int", ', '')],
  ])('refuses %s', (_, challenge) => {
    expect(parseDigestChallenge(challenge)).toBeNull();
  });
});
