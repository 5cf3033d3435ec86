import { newSecret } from '../../../platform/secret.ts';

/** All projects, and all environments of an admin token. */
export const everywhere = '*';

export const newAdminSecret = (): string => `${everywhere}:${everywhere}.${newSecret()}`;

export interface TokenScope {
  /** One project, several, or `*` for all existing and future ones. */
  readonly project: string | readonly string[];
  readonly environment: string;
}

/** Parses `<project or *>:<environment>.<anything>`, the format of SDK tokens. */
export function parseScope(secret: string): TokenScope | undefined {
  const match = /^([^:\s,]+):([^.\s,]+)\.[^\s,]+$/.exec(secret);
  const [, project, environment] = match ?? [];
  return project && environment ? { project, environment } : undefined;
}

export const projectsOf = ({ project }: TokenScope): string[] =>
  typeof project === 'string' ? [project] : [...project];

/** The part of a secret before the dot. SDKs log it to identify their token. */
const prefixOf = (projects: readonly string[], environment: string): string =>
  `${projects.length === 1 ? projects[0] : '[]'}:${environment}`;

export const newScopedSecret = (scope: TokenScope): string =>
  `${prefixOf(projectsOf(scope), scope.environment)}.${newSecret()}`;

/** A secret without its secret part. */
export const maskedSecret = (projects: readonly string[], environment: string): string =>
  `${prefixOf(projects, environment)}.*****`;
