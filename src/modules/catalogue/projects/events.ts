import { defineEvent } from '../../events/index.ts';
import type { DefaultStrategy } from './environments/default-strategy-schema.ts';
import type { Project } from './project-schema.ts';

/** A project as events store it. */
export type ProjectEventData = Omit<Project, 'updatedAt' | 'archivedAt'>;

export const projectCreated = defineEvent<ProjectEventData & { environments: readonly string[] }>({
  type: 'project-created',
  summary: ({ user, project }) => `${user} created the project ${project}`,
});

export const projectUpdated = defineEvent<ProjectEventData>({
  type: 'project-updated',
  summary: ({ user, project }) => `${user} changed the project ${project}`,
});

/** Stored because it cannot be read after the deletion. */
interface DeletedProject extends ProjectEventData {
  environments: readonly string[];
  /** Of the environments that had one of their own. */
  defaultStrategies: Readonly<Record<string, DefaultStrategy>>;
}

export const projectDeleted = defineEvent<DeletedProject>({
  type: 'project-deleted',
  summary: ({ user, project }) => `${user} deleted the project ${project}`,
});

export const projectArchived = defineEvent<null>({
  type: 'project-archived',
  summary: ({ user, project }) => `${user} archived the project ${project}`,
});

export const projectRevived = defineEvent<null>({
  type: 'project-revived',
  summary: ({ user, project }) => `${user} revived the project ${project}`,
});

export const projectEnvironmentAdded = defineEvent<null>({
  type: 'project-environment-added',
  summary: ({ user, project, environment }) =>
    `${user} added the environment ${environment} to the project ${project}`,
});

export const projectEnvironmentRemoved = defineEvent<{ defaultStrategy: DefaultStrategy }>({
  type: 'project-environment-removed',
  summary: ({ user, project, environment }) =>
    `${user} removed the environment ${environment} from the project ${project}`,
});

export const defaultStrategyUpdated = defineEvent<DefaultStrategy>({
  type: 'default-strategy-updated',
  summary: ({ user, project, environment }) =>
    `${user} changed the default strategy of the environment ${environment} in the project ${project}`,
});

interface ChangeRequestConfiguration {
  changeRequestsEnabled: boolean;
  requiredApprovals: number | null;
}

export const changeRequestConfigurationUpdated = defineEvent<ChangeRequestConfiguration>({
  type: 'change-request-configuration-updated',
  summary: ({ user, project, environment }) =>
    `${user} changed the change request settings in the environment ${environment} of the project ${project}`,
});

export const projectFavorited = defineEvent<{ project: string }>({
  type: 'project-favorited',
  summary: ({ user, project }) => `${user} marked the project ${project} as a favourite`,
});

/** The system brings the favourite of a user from another installation. */
export const favoriteProjectBrought = defineEvent<{ project: string; userId: number }>({
  type: 'project-favorited',
  label: 'Favourite imported',
  summary: ({ user, project }) => `${user} imported that the project ${project} is a favourite`,
});

/** A user of another installation has ended it there. */
export const favoriteProjectWithdrawn = defineEvent<{ project: string; userId: number }>({
  type: 'project-unfavorited',
  label: 'End of a favourite imported',
  summary: ({ user, project }) =>
    `${user} imported that the project ${project} is no longer a favourite`,
});

export const projectUnfavorited = defineEvent<{ project: string }>({
  type: 'project-unfavorited',
  summary: ({ user, project }) => `${user} removed the project ${project} from their favourites`,
});

/** A project as events hold it. */
export const factsOf = ({ updatedAt, archivedAt, ...facts }: Project): ProjectEventData => facts;
