import * as z from 'zod';
import { VERSION_PATTERN } from './compare-versions.ts';

/** `1.4.0`, or a pre-release such as `1.5.0-rc.2`. */
export const releaseVersion = z
  .string()
  .regex(VERSION_PATTERN, { error: 'must be a version such as 1.4.0 or 1.5.0-rc.2' });
