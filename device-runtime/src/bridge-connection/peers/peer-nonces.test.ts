import type { DeviceId } from '@lintel/access-core/ids';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import { PEER_NONCE_LIFETIME_MS, IssuedPeerNonces } from './peer-nonces.ts';

const [ann, bob] = ['dev_a', 'dev_b'] as DeviceId[];
const at = monotonic;

describe('peer nonces', () => {
  it('are valid once, for the controller they were issued to, for a limited time', () => {
    const nonces = new IssuedPeerNonces();
    nonces.issue(ann!, 'n1', at(0));
    expect(nonces.use(bob!, 'n1', at(1))).toBe(false);
    expect(nonces.use(ann!, 'n1', at(PEER_NONCE_LIFETIME_MS))).toBe(true);
    expect(nonces.use(ann!, 'n1', at(PEER_NONCE_LIFETIME_MS))).toBe(false);
    nonces.issue(ann!, 'n2', at(0));
    expect(nonces.use(ann!, 'n2', at(PEER_NONCE_LIFETIME_MS + 1))).toBe(false);
  });

  it('are limited in number for each controller', () => {
    const nonces = new IssuedPeerNonces();
    for (let number = 0; number < 100; number++) nonces.issue(ann!, `n${number}`, at(0));
    const living = Array.from({ length: 100 }, (_, number) => nonces.use(ann!, `n${number}`, at(1)));
    expect(living.filter(Boolean)).toHaveLength(16);
    expect(living.at(-1)).toBe(true);
  });
});
