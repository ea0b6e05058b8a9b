import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Of this machine itself. What a reverse proxy hands on comes from loopback too, but is somebody else's request. */
export const isLocal = ({ ip, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(ip) && headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined;
