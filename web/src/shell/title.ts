const pages: Readonly<Record<string, string>> = {
  '': 'Home',
  search: 'Features',
  projects: 'Projects',
  history: 'Event log',
  integrations: 'Integrations',
  insights: 'Health',
  applications: 'Applications',
  playground: 'Playground',
  'unknown-flags': 'Unknown names',
  segments: 'Segments',
  context: 'Context fields',
  strategies: 'Strategy types',
  'tag-types': 'Tag types',
  'feature-toggle-type': 'Feature types',
  environments: 'Environments',
  profile: 'Your account',
  admin: 'Administration',
};

/** The title of the browser's tab: the most particular thing first, because tabs are narrow. */
export function titleOf(pathname: string): string {
  const [page = '', project, part, feature] = pathname
    .split('/')
    .slice(1)
    .map((each) => decodeURIComponent(each));
  const names =
    page === 'projects' && project !== undefined && project !== ''
      ? [part === 'features' ? feature : part, project]
      : [pages[page]];
  return [...names.filter((name) => name !== undefined && name !== ''), 'Burgee'].join(' · ');
}
