import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificateAuthority } from '@lintel/cloud-bridge/testing';
import type { RequiredProgram } from '../require-program.ts';
import { findFreePort } from '../find-free-port.ts';
import { waitUntil } from '../wait-until.ts';

export const pebble: RequiredProgram = { command: 'pebble', install: 'apt-get install pebble' };

export const CERTIFICATE_DAYS = 90;

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  const opened = await once(socket, 'connect').catch(() => null);
  socket.destroy();
  return opened !== null;
};

export interface PebbleProcess {
  readonly directoryUrl: string;
  /** PEM, for connections to the ACME server itself. */
  readonly authority: string;
  /** File with that certificate. */
  readonly authorityFile: string;
  /** Where it connects to for HTTP and TLS challenges. Every name is an alias of 127.0.0.1. */
  readonly httpPort: number;
  readonly tlsPort: number;
  stop(): Promise<void>;
}

/** Starts Pebble, the ACME server of Let's Encrypt for tests, and a DNS server for it. */
export const startPebble = async (): Promise<PebbleProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-pebble-'));
  const ports: number[] = [];
  for (let n = 0; n < 6; n++) ports.push(await findFreePort());
  const [port, managementPort, httpPort, tlsPort, dnsPort, dnsManagementPort] = ports as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const authority = await openCertificateAuthority(folder, Date.now());
  const own = await authority.issueServerCertificate(['localhost', '127.0.0.1'], Date.now());
  const fileOf = (name: string): string => join(folder, name);
  writeFileSync(fileOf('cert.pem'), own.certificate);
  writeFileSync(fileOf('key.pem'), own.key);
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: fileOf('cert.pem'),
    privateKey: fileOf('key.pem'),
    httpPort,
    tlsPort,
    certificateValidityPeriod: CERTIFICATE_DAYS * 86_400,
  };
  writeFileSync(fileOf('pebble.json'), JSON.stringify({ pebble: config }));
  const dnsArgs = ['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${dnsManagementPort}`];
  const noServers = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1' };
  const start = (command: string, args: readonly string[]): ChildProcess =>
    spawn(command, args, { stdio: 'ignore', env });
  const children = [
    start('pebble-challtestsrv', [...dnsArgs, ...noServers]),
    start('pebble', ['-config', fileOf('pebble.json'), '-dnsserver', `127.0.0.1:${dnsPort}`]),
  ];
  await waitUntil(
    async () => (await isListening(port)) && (await isListening(dnsManagementPort)),
    () => 'Pebble',
  );
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    authority: authority.certificate,
    authorityFile: fileOf('ca.pem'),
    httpPort,
    tlsPort,
    stop: async () => {
      for (const child of children) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
      rmSync(folder, { recursive: true });
    },
  };
};
