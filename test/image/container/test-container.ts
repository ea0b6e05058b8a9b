import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isPresent } from '../../support/require-program.ts';
import { podman, provideBaseImages } from './provide-base-images.ts';

const root = join(import.meta.dirname, '../../..');

// The default runtime, crun, does not run on machines that have cgroups of both versions.
const runtime = isPresent({ command: 'runc', install: '' }) ? ['--runtime', 'runc'] : [];

/** Lower than the limits of any machine. The defaults of Podman exceed those of some. */
const processLimits = ['--ulimit', 'nofile=1024:4096', '--ulimit', 'nproc=1024:4096'];

const restrictions = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];

type Program = 'bridge' | 'gateway';

const buildImage = async (program: Program): Promise<string> => {
  await provideBaseImages();
  const image = `localhost/lintel-${program}:test`;
  // The OCI format has no health check.
  const options = ['--isolation', 'chroot', '--network', 'host', '--pull=never', '--format', 'docker'];
  const file = join(root, `deploy/container/${program}.Dockerfile`);
  await podman('build', ...options, '--file', file, '--tag', image, root);
  return image;
};

/** A container on the network of the host, with a read-only root and without capabilities, as the Compose files have it. */
export class TestContainer {
  readonly image: string;
  readonly #name: string;

  private constructor(image: string, name: string) {
    this.image = image;
    this.#name = name;
  }

  /** Builds the image of the program from its Dockerfile and starts a container. */
  static async start(program: Program, environment: Readonly<Record<string, string>>): Promise<TestContainer> {
    const container = new TestContainer(await buildImage(program), `lintel-test-${randomUUID()}`);
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const place = ['--name', container.#name, '--network', 'host', '--volume', `${container.#name}:/data`];
    const options = [...place, ...processLimits, ...restrictions, ...variables];
    try {
      await podman(...runtime, 'run', '--detach', ...options, container.image);
    } catch (error) {
      await container.remove();
      throw error;
    }
    return container;
  }

  run(...command: readonly string[]): Promise<string> {
    return podman('exec', this.#name, ...command);
  }

  /** Whether the health check of the image succeeds now. */
  isHealthy(): Promise<boolean> {
    return podman('healthcheck', 'run', this.#name).then(
      () => true,
      () => false,
    );
  }

  /** Stops the program and returns its exit code. */
  async stop(): Promise<string> {
    await podman('stop', '--time', '10', this.#name);
    return podman('inspect', '--format', '{{.State.ExitCode}}', this.#name);
  }

  async remove(): Promise<void> {
    await podman('rm', '--force', '--time', '5', this.#name);
    await podman('volume', 'rm', '--force', this.#name);
  }
}
