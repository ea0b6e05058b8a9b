import * as z from 'zod';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/** Requests the site directory for a technician at the controller. */
export const siteDirectoryRequestMqttMessageSchema = z.object({ v: wireProtocolVersionSchema });
