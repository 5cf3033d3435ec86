import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiError, basePath } from './api.ts';
import { readEventQuery } from './events/search.ts';
import { readFeatureSearch } from './flags/search.ts';
import { meQuery } from './me.ts';
import { queryClient, read } from './queries.ts';
import { Shell } from './shell/shell.tsx';
import { Problem } from './ui/problem.tsx';
import { Waiting } from './ui/waiting.tsx';

const root = createRootRoute();

/** Everything that needs somebody who is signed in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async () => {
    try {
      await queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({
        href: `${basePath}login?redirect=${encodeURIComponent(window.location.pathname + window.location.search)}`,
        reloadDocument: true,
      });
    }
  },
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/home.tsx'), 'Home'),
});

const features = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  validateSearch: readFeatureSearch,
  component: lazyRouteComponent(() => import('./flags/features.tsx'), 'Features'),
});

const projects = createRoute({
  getParentRoute: () => shell,
  path: '/projects',
  loader: () => queryClient.ensureQueryData(read('GET /api/admin/projects', {})),
  component: lazyRouteComponent(() => import('./catalogue/projects.tsx'), 'Projects'),
});

const project = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId',
  validateSearch: readFeatureSearch,
  component: lazyRouteComponent(() => import('./catalogue/project.tsx'), 'Project'),
});

const feature = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId/features/$featureName',
  loader: ({ params }) =>
    queryClient.ensureQueryData(
      read('GET /api/admin/projects/:projectId/features/:featureName', { params }),
    ),
  component: lazyRouteComponent(() => import('./flags/feature.tsx'), 'Feature'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/history',
  validateSearch: readEventQuery,
  component: lazyRouteComponent(() => import('./events/event-log.tsx'), 'EventLog'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([home, features, projects, project, feature, events]),
  ]),
  basepath: basePath,
  defaultPreload: 'intent',
  // No flicker for what is there at once.
  defaultPendingMs: 300,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Problem,
  defaultNotFoundComponent: () => <Problem error={new Error('There is no such page')} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
