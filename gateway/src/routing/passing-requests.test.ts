import { beforeEach, describe, expect, it } from 'vitest';
import { PassingRequests } from './passing-requests.ts';

let now: number;
let requests: PassingRequests;
beforeEach(() => {
  now = 0;
  requests = new PassingRequests(() => now);
});

describe('PassingRequests', () => {
  it('is idle without requests', () => {
    expect(requests.isResting).toBe(true);
  });

  it('is busy until every request is answered, and a moment longer', () => {
    requests.asked('dev_a', 'dev_b');
    requests.asked('dev_a', 'dev_b');
    requests.asked('bridge', 'dev_b');
    now = 2000;
    requests.answered('dev_a', 'dev_b');
    requests.answered('bridge', 'dev_b');
    now = 4000;
    expect(requests.isResting).toBe(false);
    requests.answered('dev_a', 'dev_b');
    expect(requests.isResting).toBe(false);
    now = 4500;
    expect(requests.isResting).toBe(true);
  });

  it('recognizes requests between two devices', () => {
    const [reader, owner] = ['dev_reader', 'dev_owner'];
    requests.spoken('peer-hello', { signer: reader, audience: owner });
    requests.spoken('peer-nonce', { signer: owner, audience: reader });
    now = 499;
    expect(requests.isResting).toBe(false);
    requests.spoken('peer-request', { signer: reader, audience: owner });
    now = 3000;
    expect(requests.isResting).toBe(false);
    requests.spoken('peer-answer', { signer: owner, audience: reader });
    now = 3500;
    expect(requests.isResting).toBe(true);
  });

  it('does not wait for a response whose request has expired', () => {
    requests.asked('dev_a', 'dev_b');
    now = 9999;
    expect(requests.isResting).toBe(false);
    now = 10_000;
    expect(requests.isResting).toBe(true);
  });

  it('ignores a response to an unknown request', () => {
    requests.answered('dev_a', 'dev_b');
    now = 500;
    expect(requests.isResting).toBe(true);
  });

  it('notifies its listeners until they unsubscribe', () => {
    let count = 0;
    const unlisten = requests.listen(() => count++);
    requests.happened();
    requests.asked('dev_a', 'dev_b');
    unlisten();
    requests.answered('dev_a', 'dev_b');
    expect(count).toBe(2);
  });
});
