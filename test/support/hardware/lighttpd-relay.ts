import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findFreePort } from '../find-free-port.ts';
import type { RequiredProgram } from '../require-program.ts';

export const lighttpd: RequiredProgram = { command: 'lighttpd', install: 'apt-get install lighttpd' };

export interface LighttpdOptions {
  readonly method: 'basic' | 'digest';
  readonly user: string;
  readonly password: string;
  /** Requests for /rpc are sent to this port after authentication. */
  readonly rpcPort?: number;
}

/** A relay that is a file. */
const RELAY = `case "$QUERY_STRING" in
turn=on) echo closed >state ;;
turn=off) echo open >state ;;
esac
printf 'Content-Type: text/plain\\r\\n\\r\\n'
cat state
`;

/** A web server that is not of this project, with a relay at /relay.cgi. */
export const startLighttpd = async ({ method, user, password, rpcPort = 0 }: LighttpdOptions) => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-lighttpd-'));
  const [pages, port] = [join(folder, 'pages'), await findFreePort()];
  mkdirSync(pages);
  writeFileSync(join(pages, 'relay.cgi'), RELAY);
  writeFileSync(join(pages, 'state'), 'open\n');
  writeFileSync(join(folder, 'users'), `${user}:${password}\n`);
  const configuration = `
server.modules = ("mod_auth", "mod_authn_file", "mod_cgi", "mod_proxy")
server.document-root = "${pages}"
server.bind = "127.0.0.1"
server.port = ${port}
cgi.assign = (".cgi" => "/bin/sh")
auth.backend = "plain"
auth.backend.plain.userfile = "${folder}/users"
auth.require = ("/" => ("method" => "${method}", "algorithm" => "SHA-256", "realm" => "relay", "require" => "valid-user"))
proxy.server = ("/rpc" => (("host" => "127.0.0.1", "port" => ${rpcPort})))
`;
  writeFileSync(join(folder, 'lighttpd.conf'), configuration);
  const server = spawn(lighttpd.command, ['-D', '-f', join(folder, 'lighttpd.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(url).then(
      ({ status }) => status === 401,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 10_000 });
  return {
    url,
    port,
    relay: () => readFileSync(join(pages, 'state'), 'utf8').trim(),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
