import { readFileSync } from 'node:fs';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

const KEY =
  /^(?:ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp\d+|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) [A-Za-z0-9+/=]{40,}(?: .*)?$/;

/** The public keys of a file, one per line. Rejects private keys. */
export const readSshPublicKeys = (file: string): string => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SdCardPreparationError(`--ssh-key ${file} cannot be read: ${(error as Error).message}`);
  }
  if (/PRIVATE KEY/.test(text))
    throw new SdCardPreparationError(`--ssh-key ${file} is the private key: give ${file}.pub`);
  const lines = text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  const wrong = lines.findIndex(line => !KEY.test(line));
  if (lines.length === 0 || wrong !== -1)
    throw new SdCardPreparationError(
      `--ssh-key ${file}: line ${wrong + 1} is not a public key. Use the content of a file such as id_ed25519.pub`,
    );
  return `${lines.join('\n')}\n`;
};
