import { beforeEach, describe, expect, it } from 'vitest';
import { RequestsInFlight } from './requests-in-flight.ts';

let now: number;
let requests: RequestsInFlight;
beforeEach(() => {
  now = 0;
  requests = new RequestsInFlight(() => now);
});

describe('RequestsInFlight', () => {
  it('is idle without requests', () => {
    expect(requests.isIdle).toBe(true);
  });

  it('is busy until every request has a response and the gap has passed', () => {
    requests.begin('dev_a', 'dev_b');
    requests.begin('dev_a', 'dev_b');
    requests.begin('bridge', 'dev_b');
    now = 2000;
    requests.end('dev_a', 'dev_b');
    requests.end('bridge', 'dev_b');
    now = 4000;
    expect(requests.isIdle).toBe(false);
    requests.end('dev_a', 'dev_b');
    expect(requests.isIdle).toBe(false);
    now = 4500;
    expect(requests.isIdle).toBe(true);
  });

  it('recognizes requests between two devices', () => {
    const [reader, owner] = ['dev_reader', 'dev_owner'];
    requests.trackPeerMessage('peer-hello', { signer: reader, audience: owner });
    requests.trackPeerMessage('peer-nonce', { signer: owner, audience: reader });
    now = 499;
    expect(requests.isIdle).toBe(false);
    requests.trackPeerMessage('peer-request', { signer: reader, audience: owner });
    now = 3000;
    expect(requests.isIdle).toBe(false);
    requests.trackPeerMessage('peer-answer', { signer: owner, audience: reader });
    now = 3500;
    expect(requests.isIdle).toBe(true);
  });

  it('does not wait for a response whose request has expired', () => {
    requests.begin('dev_a', 'dev_b');
    now = 9999;
    expect(requests.isIdle).toBe(false);
    now = 10_000;
    expect(requests.isIdle).toBe(true);
  });

  it('ignores a response to an unknown request', () => {
    requests.end('dev_a', 'dev_b');
    now = 500;
    expect(requests.isIdle).toBe(true);
  });

  it('notifies its listeners until they unsubscribe', () => {
    let count = 0;
    const unsubscribe = requests.onActivity(() => count++);
    requests.noteActivity();
    requests.begin('dev_a', 'dev_b');
    unsubscribe();
    requests.end('dev_a', 'dev_b');
    expect(count).toBe(2);
  });
});
