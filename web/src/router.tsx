import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import {
  readPersonSearch,
  readRoleSearch,
  readRolesSearch,
  readTokensSearch,
  readUsersSearch,
} from './access/admin-search.ts';
import { readProfileSearch } from './access/profile-tab.ts';
import { readAddress, writeAddress } from './address.ts';
import { ApiError, basePath } from './api.ts';
import { readArchiveSearch } from './catalogue/projects/archive-search.ts';
import { readProjectListSearch } from './catalogue/projects/list-search.ts';
import { readLogSearch } from './events/search.ts';
import { FeatureNotThere } from './flags/feature/feature-not-there.tsx';
import { featureQuery } from './flags/feature/feature-query.ts';
import { readFeatureViewSearch } from './flags/feature/search.ts';
import { prefetchFeatures } from './flags/list/feature-pages.ts';
import { readFeatureAddress } from './flags/list/search.ts';
import { readCalendarSearch } from './governance/calendar/calendar-search.ts';
import { readRequestsSearch } from './governance/search.ts';
import { readIncidentSearch } from './history/incident/search.ts';
import { readHealthSearch, readOverviewSearch } from './insights/health/search.ts';
import { readIntegrationSearch } from './integrations/search.ts';
import { followLog } from './live.ts';
import { may, meQuery } from './me.ts';
import { queryClient, read } from './queries.ts';
import { readApplicationsSearch, readUnknownSearch } from './sdk/applications/search.ts';
import { readPlaygroundSearch } from './sdk/playground/search.ts';
import { allowedPages } from './shell/allowed-pages.ts';
import { Shell, ShellWaiting } from './shell/shell.tsx';
import { sessionBegun } from './sign-in/session.ts';
import { only } from './ui/address.ts';
import { lazyPage } from './ui/lazy-part.ts';
import { readListSearch } from './ui/list-search.ts';
import { NoSuchPage } from './ui/no-such-page.tsx';
import { PageProblem } from './ui/page-problem.tsx';
import { Waiting } from './ui/waiting.tsx';
import { directoryQuery } from './use-directory.ts';

const root = createRootRoute();

/** Everything that requires signing in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  pendingComponent: ShellWaiting,
  beforeLoad: async () => {
    // The frame shows both. They are read at the same time as the user, not after.
    void queryClient.prefetchQuery(read('GET /api/admin/ui-config', {}));
    void queryClient.prefetchQuery(read('GET /api/admin/projects', {}));
    try {
      await queryClient.ensureQueryData(meQuery);
      sessionBegun();
      followLog();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({
        href: `${basePath}login?redirect=${encodeURIComponent(window.location.pathname + window.location.search)}`,
        reloadDocument: true,
      });
    }
  },
});

/** Events show the names of users, which would otherwise be read after the events. */
const prefetchNames = () => void queryClient.prefetchQuery(directoryQuery);

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  loader: prefetchNames,
  component: lazyPage(() => import('./shell/home/home.tsx'), 'Home'),
});

const features = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  validateSearch: only(readFeatureAddress),
  loaderDeps: ({ search }) => ({ search }),
  loader: ({ deps: { search } }) => prefetchFeatures(search),
  component: lazyPage(() => import('./flags/list/features.tsx'), 'Features'),
});

const projects = createRoute({
  getParentRoute: () => shell,
  path: '/projects',
  validateSearch: only(readProjectListSearch),
  loader: () => queryClient.ensureQueryData(read('GET /api/admin/projects', {})),
  component: lazyPage(() => import('./catalogue/projects/project-list.tsx'), 'ProjectList'),
});

const project = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId',
  component: lazyPage(() => import('./catalogue/projects/project.tsx'), 'Project'),
});

const projectFeatures = createRoute({
  getParentRoute: () => project,
  path: '/',
  validateSearch: only(readFeatureAddress),
  loaderDeps: ({ search }) => ({ search }),
  loader: ({ params, deps: { search } }) => prefetchFeatures(search, params.projectId),
  component: lazyPage(() => import('./catalogue/projects/features.tsx'), 'ProjectFeatures'),
});

const projectOverview = createRoute({
  getParentRoute: () => project,
  path: '/insights',
  component: lazyPage(
    () => import('./catalogue/projects/overview/overview.tsx'),
    'ProjectOverview',
  ),
});

const projectHealth = createRoute({
  getParentRoute: () => project,
  path: '/health',
  validateSearch: only(readHealthSearch),
  component: lazyPage(() => import('./insights/health/project-health.tsx'), 'ProjectHealth'),
});

const projectActivity = createRoute({
  getParentRoute: () => project,
  path: '/logs',
  validateSearch: only(readLogSearch),
  loader: prefetchNames,
  component: lazyPage(() => import('./events/project-log.tsx'), 'ProjectLog'),
});

const projectArchive = createRoute({
  getParentRoute: () => project,
  path: '/archive',
  validateSearch: only(readArchiveSearch),
  component: lazyPage(() => import('./catalogue/projects/archive.tsx'), 'ProjectArchive'),
});

const projectSettings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyPage(
    () => import('./catalogue/projects/settings/settings.tsx'),
    'ProjectSettings',
  ),
});

const generalSettings = createRoute({
  getParentRoute: () => projectSettings,
  path: '/',
  component: lazyPage(() => import('./catalogue/projects/settings/general.tsx'), 'GeneralSettings'),
});

const projectEnvironments = createRoute({
  getParentRoute: () => projectSettings,
  path: '/environments',
  component: lazyPage(
    () => import('./catalogue/projects/settings/environments.tsx'),
    'ProjectEnvironments',
  ),
});

const projectAccess = createRoute({
  getParentRoute: () => projectSettings,
  path: '/access',
  component: lazyPage(() => import('./catalogue/projects/settings/access.tsx'), 'ProjectAccess'),
});

const projectTokens = createRoute({
  getParentRoute: () => projectSettings,
  path: '/api-access',
  component: lazyPage(() => import('./catalogue/projects/settings/tokens.tsx'), 'ProjectTokens'),
});

const defaultStrategies = createRoute({
  getParentRoute: () => projectSettings,
  path: '/default-strategy',
  component: lazyPage(
    () => import('./catalogue/projects/settings/default-strategies.tsx'),
    'DefaultStrategies',
  ),
});

const projectSegments = createRoute({
  getParentRoute: () => projectSettings,
  path: '/segments',
  component: lazyPage(
    () => import('./catalogue/projects/settings/segments.tsx'),
    'ProjectSegments',
  ),
});

const importExport = createRoute({
  getParentRoute: () => projectSettings,
  path: '/import-export',
  validateSearch: only(({ tab }): { tab?: 'import' } => (tab === 'import' ? { tab } : {})),
  component: lazyPage(
    () => import('./catalogue/projects/settings/import-export.tsx'),
    'ImportExport',
  ),
});

const changeRequestSettings = createRoute({
  getParentRoute: () => projectSettings,
  path: '/change-requests',
  component: lazyPage(() => import('./governance/settings.tsx'), 'ChangeRequestSettings'),
});

const projectChangeRequests = createRoute({
  getParentRoute: () => project,
  path: '/change-requests',
  validateSearch: only(readRequestsSearch),
  component: lazyPage(
    () => import('./governance/change-request-list.tsx'),
    'ProjectChangeRequests',
  ),
});

const projectPages = [
  projectFeatures,
  projectOverview,
  projectHealth,
  projectChangeRequests,
  projectActivity,
  projectArchive,
  projectSettings.addChildren([
    generalSettings,
    projectEnvironments,
    changeRequestSettings,
    projectAccess,
    projectTokens,
    defaultStrategies,
    projectSegments,
    importExport,
  ]),
] as const;

const createFeature = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId/create-toggle',
  validateSearch: only(({ name, as }): { name?: string; as?: string } => ({
    ...(name !== undefined && { name: String(name) }),
    ...(as === 'json' && { as }),
  })),
  component: lazyPage(() => import('./flags/create/create-feature.tsx'), 'CreateFeature'),
});

function FeatureError({ error }: { readonly error: unknown }) {
  const params = feature.useParams();
  // Another address is another question.
  return <FeatureNotThere key={params.featureName} {...params} error={error} />;
}

const feature = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId/features/$featureName',
  validateSearch: only(readFeatureViewSearch),
  loader: ({ params }) => queryClient.ensureQueryData(featureQuery(params)),
  errorComponent: FeatureError,
  component: lazyPage(() => import('./flags/feature/feature.tsx'), 'Feature'),
});

const changeRequests = createRoute({
  getParentRoute: () => shell,
  path: '/change-requests',
  validateSearch: only(readRequestsSearch),
  component: lazyPage(() => import('./governance/change-request-list.tsx'), 'ChangeRequests'),
});

const calendar = createRoute({
  getParentRoute: () => shell,
  path: '/calendar',
  validateSearch: only(readCalendarSearch),
  component: lazyPage(() => import('./governance/calendar/calendar.tsx'), 'Calendar'),
});

const changeRequest = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId/change-requests/$id',
  component: lazyPage(() => import('./governance/change-request.tsx'), 'ChangeRequestPage'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/history',
  validateSearch: only(readLogSearch),
  loader: prefetchNames,
  component: lazyPage(() => import('./events/event-log.tsx'), 'EventLog'),
});

const incident = createRoute({
  getParentRoute: () => shell,
  path: '/incident',
  validateSearch: only(readIncidentSearch),
  loader: prefetchNames,
  component: lazyPage(() => import('./history/incident/incident.tsx'), 'Incident'),
});

const integrations = createRoute({
  getParentRoute: () => shell,
  path: '/integrations',
  loader: () => queryClient.ensureQueryData(read('GET /api/admin/addons', {})),
  component: lazyPage(() => import('./integrations/list.tsx'), 'IntegrationList'),
});

const createIntegration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/create/$provider',
  component: lazyPage(() => import('./integrations/create.tsx'), 'CreateIntegration'),
});

const editIntegration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/edit/$id',
  component: lazyPage(() => import('./integrations/edit.tsx'), 'EditIntegration'),
});

const integration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/$id',
  validateSearch: only(readIntegrationSearch),
  component: lazyPage(() => import('./integrations/integration.tsx'), 'IntegrationView'),
});

/** `/health` is the address at which load balancers ask whether the server is alive. */
const healthOverview = createRoute({
  getParentRoute: () => shell,
  path: '/insights',
  validateSearch: only(readOverviewSearch),
  loader: () => queryClient.ensureQueryData(read('GET /api/admin/projects', {})),
  component: lazyPage(() => import('./insights/health/overview.tsx'), 'HealthOverview'),
});

const applications = createRoute({
  getParentRoute: () => shell,
  path: '/applications',
  validateSearch: only(readApplicationsSearch),
  component: lazyPage(() => import('./sdk/applications/applications.tsx'), 'Applications'),
});

const application = createRoute({
  getParentRoute: () => shell,
  path: '/applications/$appName',
  component: lazyPage(() => import('./sdk/applications/application.tsx'), 'Application'),
});

const unknownNames = createRoute({
  getParentRoute: () => shell,
  path: '/unknown-flags',
  validateSearch: only(readUnknownSearch),
  component: lazyPage(() => import('./sdk/applications/unknown-names.tsx'), 'UnknownNames'),
});

const playground = createRoute({
  getParentRoute: () => shell,
  path: '/playground',
  validateSearch: only(readPlaygroundSearch),
  component: lazyPage(() => import('./sdk/playground/playground.tsx'), 'Playground'),
});

/** What features refer to. The addresses are those of the reference. */
const configure = createRoute({
  getParentRoute: () => shell,
  id: 'configure',
  component: lazyPage(() => import('./shell/sub-pages.tsx'), 'Configure'),
});

const segments = createRoute({
  getParentRoute: () => configure,
  path: '/segments',
  validateSearch: only(readListSearch),
  component: lazyPage(() => import('./catalogue/segments/segments.tsx'), 'Segments'),
});

const loadSegmentForm = () => import('./catalogue/segments/segment-form.tsx');

const createSegment = createRoute({
  getParentRoute: () => configure,
  path: '/segments/create',
  validateSearch: only(({ project }): { project?: string } =>
    project === undefined ? {} : { project: String(project) },
  ),
  component: lazyPage(loadSegmentForm, 'CreateSegment'),
});

const editSegment = createRoute({
  getParentRoute: () => configure,
  path: '/segments/edit/$id',
  component: lazyPage(loadSegmentForm, 'EditSegment'),
});

const contextFields = createRoute({
  getParentRoute: () => configure,
  path: '/context',
  validateSearch: only(readListSearch),
  component: lazyPage(
    () => import('./catalogue/context-fields/context-fields.tsx'),
    'ContextFields',
  ),
});

const loadFieldForm = () => import('./catalogue/context-fields/field-form.tsx');

const createContextField = createRoute({
  getParentRoute: () => contextFields,
  path: '/create',
  component: lazyPage(loadFieldForm, 'CreateField'),
});

const editContextField = createRoute({
  getParentRoute: () => contextFields,
  path: '/edit/$name',
  component: lazyPage(loadFieldForm, 'EditField'),
});

const strategyTypes = createRoute({
  getParentRoute: () => configure,
  path: '/strategies',
  validateSearch: only(readListSearch),
  component: lazyPage(
    () => import('./catalogue/strategy-types/strategy-types.tsx'),
    'StrategyTypes',
  ),
});

const loadStrategyTypeForm = () => import('./catalogue/strategy-types/strategy-type-form.tsx');

const createStrategyType = createRoute({
  getParentRoute: () => strategyTypes,
  path: '/create',
  component: lazyPage(loadStrategyTypeForm, 'CreateStrategyType'),
});

const editStrategyType = createRoute({
  getParentRoute: () => strategyTypes,
  path: '/$name/edit',
  component: lazyPage(loadStrategyTypeForm, 'EditStrategyType'),
});

const tagTypes = createRoute({
  getParentRoute: () => configure,
  path: '/tag-types',
  validateSearch: only(readListSearch),
  component: lazyPage(() => import('./catalogue/tag-types/tag-types.tsx'), 'TagTypes'),
});

const loadTagTypeForm = () => import('./catalogue/tag-types/tag-type-form.tsx');

const createTagType = createRoute({
  getParentRoute: () => tagTypes,
  path: '/create',
  component: lazyPage(loadTagTypeForm, 'CreateTagType'),
});

const editTagType = createRoute({
  getParentRoute: () => tagTypes,
  path: '/edit/$name',
  component: lazyPage(loadTagTypeForm, 'EditTagType'),
});

const loadFeatureTypes = () => import('./catalogue/feature-types/feature-types.tsx');

const featureTypes = createRoute({
  getParentRoute: () => configure,
  path: '/feature-toggle-type',
  validateSearch: only(readListSearch),
  component: lazyPage(loadFeatureTypes, 'FeatureTypes'),
});

const editLifetime = createRoute({
  getParentRoute: () => featureTypes,
  path: '/edit/$id',
  component: lazyPage(loadFeatureTypes, 'EditLifetime'),
});

const environments = createRoute({
  getParentRoute: () => configure,
  path: '/environments',
  validateSearch: only(readListSearch),
  component: lazyPage(() => import('./catalogue/environments/environments.tsx'), 'Environments'),
});

const loadEnvironmentForm = () => import('./catalogue/environments/environment-form.tsx');

const createEnvironment = createRoute({
  getParentRoute: () => environments,
  path: '/create',
  component: lazyPage(loadEnvironmentForm, 'CreateEnvironment'),
});

const editEnvironment = createRoute({
  getParentRoute: () => environments,
  path: '/edit/$name',
  component: lazyPage(loadEnvironmentForm, 'EditEnvironment'),
});

const cloneEnvironment = createRoute({
  getParentRoute: () => environments,
  path: '/clone/$name',
  component: lazyPage(loadEnvironmentForm, 'CloneEnvironment'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  validateSearch: only(readProfileSearch),
  component: lazyPage(() => import('./access/profile.tsx'), 'Profile'),
});

const administration = createRoute({
  getParentRoute: () => shell,
  path: '/admin',
  component: lazyPage(() => import('./shell/sub-pages.tsx'), 'Administration'),
});

const administrationStart = createRoute({
  getParentRoute: () => administration,
  path: '/',
  beforeLoad: async () => {
    const me = await queryClient.ensureQueryData(meQuery);
    const [first] = allowedPages((permission) => may(me, permission));
    throw redirect({ to: first?.to ?? '/admin/users', replace: true });
  },
});

const users = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  validateSearch: only(readUsersSearch),
  component: lazyPage(() => import('./access/people/users.tsx'), 'Users'),
});

const person = createRoute({
  getParentRoute: () => administration,
  path: '/users/$userId',
  validateSearch: only(readPersonSearch),
  component: lazyPage(() => import('./access/people/person-access.tsx'), 'PersonAccess'),
});

const roles = createRoute({
  getParentRoute: () => administration,
  path: '/roles',
  validateSearch: only(readRolesSearch),
  component: lazyPage(() => import('./access/roles/roles.tsx'), 'Roles'),
});

const role = createRoute({
  getParentRoute: () => administration,
  path: '/roles/$roleId',
  validateSearch: only(readRoleSearch),
  component: lazyPage(() => import('./access/roles/role.tsx'), 'RolePage'),
});

const groups = createRoute({
  getParentRoute: () => administration,
  path: '/groups',
  validateSearch: only(readListSearch),
  component: lazyPage(() => import('./access/groups/groups.tsx'), 'Groups'),
});

const apiTokens = createRoute({
  getParentRoute: () => administration,
  path: '/api',
  validateSearch: only(readTokensSearch),
  component: lazyPage(() => import('./access/tokens/api-tokens.tsx'), 'ApiTokens'),
});

const serviceAccounts = createRoute({
  getParentRoute: () => administration,
  path: '/service-accounts',
  validateSearch: only(readListSearch),
  component: lazyPage(() => import('./access/tokens/service-accounts.tsx'), 'ServiceAccounts'),
});

const inviteLinks = createRoute({
  getParentRoute: () => administration,
  path: '/invite-link',
  validateSearch: only(readListSearch),
  component: lazyPage(() => import('./access/people/invite-links.tsx'), 'InviteLinks'),
});

const signInSettings = createRoute({
  getParentRoute: () => administration,
  path: '/auth',
  component: lazyPage(() => import('./access/settings/sign-in-settings.tsx'), 'SignInSettings'),
});

const origins = createRoute({
  getParentRoute: () => administration,
  path: '/cors',
  component: lazyPage(() => import('./access/settings/origins.tsx'), 'Origins'),
});

const maintenance = createRoute({
  getParentRoute: () => administration,
  path: '/maintenance',
  component: lazyPage(() => import('./access/settings/maintenance.tsx'), 'Maintenance'),
});

const edges = createRoute({
  getParentRoute: () => administration,
  path: '/edges',
  component: lazyPage(() => import('./instance-admin/edges.tsx'), 'Edges'),
});

const retention = createRoute({
  getParentRoute: () => administration,
  path: '/retention',
  component: lazyPage(() => import('./access/settings/retention.tsx'), 'Retention'),
});

const instance = createRoute({
  getParentRoute: () => administration,
  path: '/instance',
  component: lazyPage(() => import('./instance-admin/instance.tsx'), 'Instance'),
});

/** Keeps the frame, so that there is a way on. */
const noSuchPage = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: NoSuchPage,
});

/** Where the account was before. */
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: () => {
    throw redirect({ to: '/profile', replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([
    account,
    shell.addChildren([
      home,
      features,
      projects,
      project.addChildren(projectPages),
      createFeature,
      feature,
      changeRequests,
      calendar,
      changeRequest,
      events,
      incident,
      integrations,
      createIntegration,
      editIntegration,
      integration,
      healthOverview,
      applications,
      application,
      unknownNames,
      playground,
      configure.addChildren([
        segments,
        createSegment,
        editSegment,
        contextFields.addChildren([createContextField, editContextField]),
        strategyTypes.addChildren([createStrategyType, editStrategyType]),
        tagTypes.addChildren([createTagType, editTagType]),
        featureTypes.addChildren([editLifetime]),
        environments.addChildren([createEnvironment, editEnvironment, cloneEnvironment]),
      ]),
      profile,
      administration.addChildren([
        administrationStart,
        users,
        person,
        roles,
        role,
        groups,
        apiTokens,
        serviceAccounts,
        inviteLinks,
        signInSettings,
        origins,
        maintenance,
        edges,
        retention,
        instance,
      ]),
      noSuchPage,
    ]),
  ]),
  basepath: basePath,
  parseSearch: readAddress,
  stringifySearch: writeAddress,
  defaultPreload: 'intent',
  // No flicker for what is there at once.
  defaultPendingMs: 300,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: PageProblem,
  defaultNotFoundComponent: NoSuchPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
