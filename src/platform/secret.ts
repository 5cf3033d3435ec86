import { hash, randomBytes } from 'node:crypto';

/**
 * Hashes a secret. Secrets are random and long, so a plain hash cannot be reversed and a lookup by it leaks nothing.
 */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Generates 224 random bits as text that needs no escaping anywhere. */
export const newSecret = (): string => randomBytes(28).toString('hex');
