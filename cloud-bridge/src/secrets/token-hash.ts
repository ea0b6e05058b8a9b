import { hash, randomBytes } from 'node:crypto';

/** Tokens carry 256 random bits, so a plain hash cannot be guessed back; passwords are hashed elsewhere, slowly. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

export const newToken = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;
