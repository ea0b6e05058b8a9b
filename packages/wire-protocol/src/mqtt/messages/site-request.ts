import * as z from 'zod';
import { version } from '../message-fields.ts';

/** A technician is at the controller and wants to know what else there is at the site. */
export const siteRequest = z.object({ v: version });
