import { defineEvent } from '../../events/index.ts';
import type { settingFacts } from './change-requests/settings.ts';
import type { DefaultStrategy } from './environments/default-strategy-schema.ts';
import type { Project } from './project-schema.ts';

/** A project as events store it. */
export type ProjectEventData = Omit<Project, 'updatedAt' | 'archivedAt'>;

interface CreatedProject extends ProjectEventData {
  environments: readonly string[];
  /** Those in which changes need approval, if any. */
  changeRequestEnvironments?: readonly { name: string; requiredApprovals: number | null }[];
}

export const projectCreated = defineEvent<CreatedProject>({
  type: 'project-created',
  summary: ({ user, project }) => `${user} created project ${project}`,
});

export const projectUpdated = defineEvent<ProjectEventData>({
  type: 'project-updated',
  summary: ({ user, project }) => `${user} updated project ${project}`,
});

/** Stored because it cannot be read after the deletion. */
interface DeletedProject extends ProjectEventData {
  environments: readonly string[];
  /** Of the environments that had one of their own. */
  defaultStrategies: Readonly<Record<string, DefaultStrategy>>;
}

export const projectDeleted = defineEvent<DeletedProject>({
  type: 'project-deleted',
  summary: ({ user, project }) => `${user} deleted project ${project}`,
});

export const projectArchived = defineEvent<null>({
  type: 'project-archived',
  summary: ({ user, project }) => `${user} archived project ${project}`,
});

export const projectRevived = defineEvent<null>({
  type: 'project-revived',
  summary: ({ user, project }) => `${user} revived project ${project}`,
});

type SettingFacts = ReturnType<typeof settingFacts>;

/** With its change request settings, if it has any. */
export const projectEnvironmentAdded = defineEvent<SettingFacts>({
  type: 'project-environment-added',
  summary: ({ user, project, environment }) => `${user} added ${environment} to ${project}`,
});

export const projectEnvironmentRemoved = defineEvent<{ defaultStrategy: DefaultStrategy }>({
  type: 'project-environment-removed',
  summary: ({ user, project, environment }) => `${user} removed ${environment} from ${project}`,
});

interface UpdatedDefaultStrategy extends DefaultStrategy {
  /** It is the built-in one again. */
  readonly builtIn?: true;
}

export const defaultStrategyUpdated = defineEvent<UpdatedDefaultStrategy>({
  type: 'default-strategy-updated',
  summary: ({ user, project, where }) =>
    `${user} updated the default strategy of ${project}${where}`,
});

export const changeRequestConfigurationUpdated = defineEvent<SettingFacts>({
  type: 'change-request-configuration-updated',
  summary: ({ user, project, environment, data, preData }) => {
    if (data.changeRequestsEnabled === preData.changeRequestsEnabled) {
      return `${user} updated change request settings for ${environment} in ${project}`;
    }
    const verb = data.changeRequestsEnabled ? 'enabled' : 'disabled';
    return `${user} ${verb} change requests for ${environment} in ${project}`;
  },
});

export const projectFavorited = defineEvent<{ project: string }>({
  type: 'project-favorited',
  summary: ({ user, project }) => `${user} starred project ${project}`,
});

/** The system imports the favorite of a user from another installation. */
export const projectFavoriteImported = defineEvent<{ project: string; userId: number }>({
  type: 'project-favorited',
  label: 'Favourite imported',
  summary: ({ user, project }) => `${user} imported a favorite: project ${project}`,
});

/** A user has removed it in the other installation. */
export const favoriteProjectWithdrawn = defineEvent<{ project: string; userId: number }>({
  type: 'project-unfavorited',
  label: 'End of a favourite imported',
  summary: ({ user, project }) => `${user} removed an imported favorite: project ${project}`,
});

export const projectUnfavorited = defineEvent<{ project: string }>({
  type: 'project-unfavorited',
  summary: ({ user, project }) => `${user} unstarred project ${project}`,
});

/** A project as events hold it. */
export const factsOf = ({ updatedAt, archivedAt, ...facts }: Project): ProjectEventData => facts;
