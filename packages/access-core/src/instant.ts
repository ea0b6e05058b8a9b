import type { BrandedType } from './branded-type.ts';
import { failed, ok, createProblem, type Result } from './result.ts';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = BrandedType<number, 'Instant'>;

/** Years 0000 to 9999, so that the ISO form always has a four-digit year. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

export const instant = (milliseconds: number): Instant => milliseconds as Instant;

const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

const offsetMinutes = (zone: string): number => {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  return hours > 23 || minutes > 59 ? Number.NaN : (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
};

const malformed = (path: string): Result<never> =>
  failed([createProblem(path, 'invalid_time', 'must be a date-time such as 2026-03-29T12:00:00.000Z')]);

/** ISO 8601 with seconds and a zone; digits beyond milliseconds are truncated. */
export const parseInstant = (text: unknown, path = ''): Result<Instant> => {
  const parts = typeof text === 'string' ? FORM.exec(text) : null;
  if (parts === null) return malformed(path);
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMinutes(parts[8] ?? '');
  const clock = new Date(0);
  clock.setUTCFullYear(year, month - 1, day);
  const dateExists = clock.getUTCMonth() === month - 1 && clock.getUTCDate() === day;
  if (!dateExists || hour > 23 || minute > 59 || second > 59 || Number.isNaN(offset)) return malformed(path);
  const fraction = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const at = clock.setUTCHours(hour, minute, second, fraction) - offset * 60_000;
  return at < EARLIEST || at > LATEST ? malformed(path) : ok(instant(at));
};

export const formatInstant = (at: Instant): string => new Date(at).toISOString();
