import { newSecret } from '../../platform/secret.ts';

export const newAdminSecret = (): string => `*:*.${newSecret()}`;

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
  `${project}:${environment}.${newSecret()}`;
