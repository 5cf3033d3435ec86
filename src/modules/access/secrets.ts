import { createHash, randomBytes } from 'node:crypto';

/** Tokens are random and long, so a plain hash cannot be reversed and a lookup by it leaks nothing. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const newAdminSecret = (): string => `*:*.${randomBytes(28).toString('hex')}`;

export interface TokenScope {
  readonly project: string;
  readonly environment: string;
}

/** `<project or *>:<environment>.<anything>`, the shape of an SDK's token. */
export function parseScope(secret: string): TokenScope | undefined {
  const match = /^([^:\s,]+):([^.\s,]+)\.[^\s,]+$/.exec(secret);
  const [, project, environment] = match ?? [];
  return project && environment ? { project, environment } : undefined;
}

export const newScopedSecret = ({ project, environment }: TokenScope): string =>
  `${project}:${environment}.${randomBytes(28).toString('hex')}`;
