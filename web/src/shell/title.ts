import { adminPages } from '../access/admin-pages.ts';
import { cataloguePages } from '../catalogue/catalogue-pages.ts';

const pages: Readonly<Record<string, string>> = {
  '': 'Home',
  search: 'Features',
  projects: 'Projects',
  history: 'Event log',
  incident: 'Incident view',
  'change-requests': 'Change requests',
  calendar: 'Calendar',
  integrations: 'Integrations',
  insights: 'Health',
  applications: 'Applications',
  playground: 'Playground',
  'unknown-flags': 'Unknown flags',
  profile: 'Your account',
  admin: 'Administration',
  ...Object.fromEntries(cataloguePages.map(({ to, label }) => [to.slice(1), label])),
};

const projectPages: Readonly<Record<string, string>> = {
  insights: 'Overview',
  health: 'Health',
  logs: 'Event log',
  'change-requests': 'Change requests',
  archive: 'Archive',
  settings: 'Settings',
  'create-toggle': 'New feature',
};

const projectSettings: Readonly<Record<string, string>> = {
  access: 'Members and roles',
  environments: 'Environments',
  'change-requests': 'Change requests',
  'default-strategy': 'Default strategies',
  'api-access': 'API tokens',
  segments: 'Segments',
  'import-export': 'Import and export',
};

/** What the form of a page creates. */
const created: Readonly<Record<string, string>> = {
  segments: 'New segment',
  context: 'New context field',
  strategies: 'New strategy type',
  'tag-types': 'New tag type',
  environments: 'New environment',
  integrations: 'New integration',
};

/** Pages whose addresses have the name of what they edit, not an id. */
const namedInAddress: ReadonlySet<string> = new Set(['context', 'tag-types', 'environments']);

/** Names instead of the ids in an address; undefined until they are known. */
export interface AddressNames {
  readonly project?: string | undefined;
  /** Of the segment, integration, role, user, strategy type, feature type, or change request. */
  readonly thing?: string | undefined;
}

function projectParts(
  path: readonly string[],
  { project, thing }: AddressNames,
): (string | undefined)[] {
  const [, page = '', inside = ''] = path;
  if (page === 'features') return [inside, project ?? pages.projects];
  if (page === 'change-requests' && inside !== '') {
    return [thing ?? `Change request #${inside}`, project ?? pages.projects];
  }
  const name = page === 'settings' ? (projectSettings[inside] ?? 'Settings') : projectPages[page];
  return [name, project ?? pages.projects];
}

function partsOf(path: readonly string[], names: AddressNames): readonly (string | undefined)[] {
  const [page = '', first = '', second] = path;
  if (page === 'projects' && first !== '') return projectParts(path.slice(1), names);
  if (page === 'admin') {
    const label = adminPages.find(({ to }) => to === `/admin/${first}`)?.label;
    return second === undefined ? [label, pages.admin] : [names.thing, label];
  }
  const label = pages[page];
  if (label === undefined) return ['Page not found'];
  if (first === 'create') return [created[page], label];
  if (page === 'applications') return [first, label];
  if (namedInAddress.has(page)) return [second, label];
  return [names.thing, label];
}

/** The title of the browser tab: the most specific part first, because tabs are narrow. */
export function titleOf(pathname: string, names: AddressNames = {}): string {
  const path = pathname
    .split('/')
    .slice(1)
    .map((each) => decodeURIComponent(each));
  const parts = partsOf(path, names).filter((part) => part !== undefined && part !== '');
  return [...parts, 'Burgee'].join(' · ');
}
