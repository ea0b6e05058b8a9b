import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../../support/require-program.ts';
import type { TestContainer } from './test-container.ts';

const podmanProgram = { command: 'podman', install: 'apt-get install podman runc mmdebstrap' };

/** Starts the container before the tests of a suite. They are skipped without Podman. */
export const startBeforeTests = (start: () => Promise<TestContainer>): (() => TestContainer) => {
  let container: TestContainer | undefined;
  beforeAll(async () => {
    if (isPresent(podmanProgram)) container = await start();
  });
  beforeEach(context => requireProgram(context, podmanProgram));
  afterAll(() => container?.remove());
  return () => container!;
};

/** The tests that every image has to pass. They end the container. */
export const testRestrictions = (container: () => TestContainer): void => {
  it('does not run as root, and its root is read-only', async () => {
    expect(await container().run('id', '--user')).toBe('10001');
    await expect(container().run('touch', '/usr/file')).rejects.toThrow('Read-only file system');
  });

  it('exits with 0 when it is stopped, and is not healthy afterwards', async () => {
    expect(await container().stop()).toBe('0');
    expect(await container().isHealthy()).toBe(false);
  });
};
