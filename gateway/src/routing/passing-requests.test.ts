import { beforeEach, describe, expect, it } from 'vitest';
import { PassingRequests } from './passing-requests.ts';

let now: number;
let requests: PassingRequests;
beforeEach(() => {
  now = 0;
  requests = new PassingRequests(() => now);
});

describe('a gateway', () => {
  it('is at rest while nobody has asked for anything', () => {
    expect(requests.isResting).toBe(true);
  });

  it('is not at rest until everybody who asked has an answer, and a moment longer', () => {
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

  it('knows the words of a request between two devices', () => {
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

  it('does not wait for an answer that nobody waits for any more', () => {
    requests.asked('dev_a', 'dev_b');
    now = 9999;
    expect(requests.isResting).toBe(false);
    now = 10_000;
    expect(requests.isResting).toBe(true);
  });

  it('is not disturbed by an answer to what it has not carried', () => {
    requests.answered('dev_a', 'dev_b');
    now = 500;
    expect(requests.isResting).toBe(true);
  });

  it('tells who listens, and nobody who does no longer', () => {
    let count = 0;
    const unlisten = requests.listen(() => count++);
    requests.happened();
    requests.asked('dev_a', 'dev_b');
    unlisten();
    requests.answered('dev_a', 'dev_b');
    expect(count).toBe(2);
  });
});
