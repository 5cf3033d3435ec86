import { randomBytes } from 'node:crypto';

/** As Standard Webhooks writes one: 192 bits. */
export const newSigningSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
