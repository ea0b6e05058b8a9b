import { createPublicKey, type KeyObject, sign } from 'node:crypto';

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const SEQUENCE = 0x30;
const SET = 0x31;
const BIT_STRING = 0x03;
const ATTRIBUTES = 0xa0;
const COMMON_NAME = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x03]);
const ED25519 = der(SEQUENCE, Buffer.from([0x06, 0x03, 0x2b, 0x65, 0x70]));

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END ${label}-----\n`;

/** PKCS #10 for an Ed25519 key, signed by it, or by `signer` for a request without proof of possession. */
export const certificateRequest = (key: KeyObject, name = 'controller', signer = key): string => {
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const info = der(SEQUENCE, der(0x02, Buffer.from([0])), subject, publicKey, der(ATTRIBUTES));
  const signature = der(BIT_STRING, Buffer.from([0]), sign(null, info, signer));
  return pem('CERTIFICATE REQUEST', der(SEQUENCE, info, ED25519, signature));
};
