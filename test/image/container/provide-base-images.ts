import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const DEBIAN = 'docker.io/library/debian:bookworm-slim';
const NODE = 'docker.io/library/node:24-bookworm-slim';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

export const podman = async (...args: readonly string[]): Promise<string> =>
  (await run('podman', [...args], { maxBuffer: 1 << 28 })).stdout.trim();

const isAvailable = (image: string): Promise<boolean> =>
  podman('image', 'exists', image)
    .catch(() => podman('pull', '--quiet', image))
    .then(
      () => true,
      () => false,
    );

/** The steps of a Dockerfile that turns the Debian base into the one with Node and npm. */
const nodeSteps = [
  `FROM ${DEBIAN}`,
  'COPY node /usr/local/bin/node',
  'COPY npm /usr/local/lib/node_modules/npm',
  `COPY ca-certificates.crt ${CERTIFICATES}`,
  'RUN cd /usr/local/bin && for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js $name; done',
  `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES} npm_config_cafile=${CERTIFICATES}`,
];

const createNodeBase = async (folder: string): Promise<void> => {
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  copyFileSync(process.execPath, join(folder, 'node'));
  cpSync(join(dirname(realpathSync(stdout.trim())), '..'), join(folder, 'npm'), { recursive: true });
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(folder, 'ca-certificates.crt'));
  writeFileSync(join(folder, 'Dockerfile'), `${nodeSteps.join('\n')}\n`);
  await podman('build', '--isolation', 'chroot', '--pull=never', '--tag', NODE, folder);
};

/** Without access to the registry, builds the base images from Debian packages and the Node of this process. */
export const provideBaseImages = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-base-image-'));
  try {
    if (!(await isAvailable(DEBIAN))) {
      const archive = join(folder, 'debian.tar');
      await run('mmdebstrap', ['--variant=minbase', 'bookworm', archive]);
      await podman('import', archive, DEBIAN);
    }
    if (!(await isAvailable(NODE))) await createNodeBase(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
