import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

/** ECDSA on P-256 with SHA-256 in the formats of WebCrypto: keys as raw points, signatures of 64 bytes. */
export interface P256Signer {
  /** 65 bytes in base64url. */
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

const COORDINATE_BYTES = 32;
const UNCOMPRESSED_POINT = 4;
const dsaEncoding = 'ieee-p1363';

/** Throws for anything but a point of the curve. */
const p256PublicKey = (publicKey: string): KeyObject => {
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 1 + 2 * COORDINATE_BYTES || point[0] !== UNCOMPRESSED_POINT)
    throw new Error('Not an uncompressed point of P-256');
  const [x, y] = [point.subarray(1, 1 + COORDINATE_BYTES), point.subarray(1 + COORDINATE_BYTES)].map(coordinate =>
    coordinate.toString('base64url'),
  );
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
};

export const isP256PublicKey = (publicKey: string): boolean => {
  try {
    p256PublicKey(publicKey);
    return true;
  } catch {
    return false;
  }
};

/** False also when `publicKey` is not a key. */
export const verifyP256 = (publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify('sha256', bytes, { key: p256PublicKey(publicKey), dsaEncoding }, signature);
  } catch {
    return false;
  }
};

const signerOf = (key: KeyObject): P256Signer => {
  const { x, y } = createPublicKey(key).export({ format: 'jwk' });
  const point = [Buffer.of(UNCOMPRESSED_POINT), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')];
  return {
    publicKey: Buffer.concat(point).toString('base64url'),
    sign: bytes => sign('sha256', bytes, { key, dsaEncoding }),
  };
};

/** With a new key that exists in memory only. */
export const createP256Signer = (): P256Signer =>
  signerOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

/** `pem`: a private key. Throws for anything but a key of P-256. */
export const loadP256Signer = (pem: string): P256Signer => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('Not a P-256 private key');
  return signerOf(key);
};
