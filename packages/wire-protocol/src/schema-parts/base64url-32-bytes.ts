import * as z from 'zod';
import { BASE64URL_32_BYTES } from '../encoding/base64url.ts';

export const base64url32BytesSchema = z.string().regex(BASE64URL_32_BYTES, { error: 'must be 32 bytes in base64url' });
