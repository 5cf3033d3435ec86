import { newSecret } from '../../../platform/secret.ts';

/** Stands for all projects, and for all environments of an admin token. */
export const everywhere = '*';

export const newAdminSecret = (): string => `${everywhere}:${everywhere}.${newSecret()}`;

export interface TokenScope {
  /** One project, several, or `*` for all that there are and will be. */
  readonly project: string | readonly string[];
  readonly environment: string;
}

/** `<project or *>:<environment>.<anything>`, the shape of an SDK's token. */
export function parseScope(secret: string): TokenScope | undefined {
  const match = /^([^:\s,]+):([^.\s,]+)\.[^\s,]+$/.exec(secret);
  const [, project, environment] = match ?? [];
  return project && environment ? { project, environment } : undefined;
}

export const projectsOf = ({ project }: TokenScope): string[] =>
  typeof project === 'string' ? [project] : [...project];

/** What stands before the dot of a secret: SDKs show it where they say which token they have. */
const prefixOf = (projects: readonly string[], environment: string): string =>
  `${projects.length === 1 ? projects[0] : '[]'}:${environment}`;

export const newScopedSecret = (scope: TokenScope): string =>
  `${prefixOf(projectsOf(scope), scope.environment)}.${newSecret()}`;

/** A secret as it is shown ever after: what it reaches, and nothing of what has to be known to use it. */
export const maskedSecret = (projects: readonly string[], environment: string): string =>
  `${prefixOf(projects, environment)}.*****`;
