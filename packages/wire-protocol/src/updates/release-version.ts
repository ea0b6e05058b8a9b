import * as z from 'zod';
import { RELEASE_VERSION_PATTERN } from './compare-versions.ts';

/** `1.4.0`, or a pre-release such as `1.5.0-rc.2`. */
export const releaseVersionSchema = z
  .string()
  .regex(RELEASE_VERSION_PATTERN, { error: 'must be a version such as 1.4.0 or 1.5.0-rc.2' });
