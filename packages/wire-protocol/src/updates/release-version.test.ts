import { describe, expect, it } from 'vitest';
import { releaseVersionSchema } from './release-version.ts';

describe('releaseVersionSchema', () => {
  it.each(['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3+build', '1.2.3 ', ''])('rejects %j', text => {
    expect(releaseVersionSchema.safeParse(text).success).toBe(false);
  });
});
