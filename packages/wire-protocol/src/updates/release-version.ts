import * as z from 'zod';
import { VERSION_FORM } from './compare-versions.ts';

/** `1.4.0`, or `1.5.0-rc.2` on the way there. */
export const releaseVersion = z
  .string()
  .regex(VERSION_FORM, { error: 'must be a version such as 1.4.0 or 1.5.0-rc.2' });
