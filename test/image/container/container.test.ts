import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../../reporting/require-program.ts';
import { findFreePort } from '../../support/bridge/postgres.ts';
import { podman, provideBaseImages } from './base-images.ts';

const podmanProgram = { command: 'podman', install: 'apt-get install podman mmdebstrap' };
const root = join(import.meta.dirname, '../../..');
const IMAGE = 'localhost/lintel-bridge:test';
const container = `lintel-test-${randomUUID()}`;

describe('container image of the bridge', () => {
  let url: string;

  beforeAll(async () => {
    if (!isPresent(podmanProgram)) return;
    await provideBaseImages();
    // The OCI format has no health check.
    const options = ['--isolation', 'chroot', '--network', 'host', '--pull=never', '--format', 'docker'];
    await podman('build', ...options, '--file', join(root, 'deploy/container/bridge.Dockerfile'), '--tag', IMAGE, root);
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];
    const environment = ['--env', `LINTEL_HTTP_PORT=${port}`, '--env', 'LINTEL_MQTT_PORT=0'];
    const network = ['--network', 'host', '--volume', `${container}:/data`];
    await podman('run', '--detach', '--name', container, ...limits, ...environment, ...network, IMAGE);
  });

  afterAll(async () => {
    if (!isPresent(podmanProgram)) return;
    await podman('rm', '--force', '--time', '5', container);
    await podman('volume', 'rm', '--force', container);
  });

  it('becomes ready with a read-only root', async context => {
    requireProgram(context, podmanProgram);
    const statusOf = (path: string): Promise<number> =>
      fetch(`${url}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(() => statusOf('/readyz')).toBe(200);
    expect(await statusOf('/v2/openapi.json')).toBe(200);
    await expect(podman('exec', container, 'touch', '/usr/file')).rejects.toThrow('Read-only file system');
  });

  it('does not run as root, and has a health check', async context => {
    requireProgram(context, podmanProgram);
    expect(await podman('exec', container, 'id', '--user')).toBe('10001');
    const config = JSON.parse(await podman('image', 'inspect', '--format', '{{json .HealthCheck}}', IMAGE)) as {
      readonly Test: readonly string[];
    };
    expect(config.Test.join(' ')).toContain('/readyz');
  });

  it('stops cleanly', async context => {
    requireProgram(context, podmanProgram);
    await podman('stop', '--time', '10', container);
    expect(await podman('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
  });
});
