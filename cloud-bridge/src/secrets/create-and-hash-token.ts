import { hash, randomBytes } from 'node:crypto';

/** A fast hash is safe because tokens have 256 random bits. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

export const createSecretToken = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;
