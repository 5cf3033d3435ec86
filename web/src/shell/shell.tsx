import {
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import {
  IconAdjustments,
  IconApps,
  IconFlag,
  IconFolders,
  IconGitPullRequest,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconPlug,
  IconSearch,
  IconSettings,
  IconTestPipe,
} from '@tabler/icons-react';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { memo, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { basePath, whenProposed } from '../api.ts';
import { cataloguePages } from '../catalogue/catalogue-pages.ts';
import { useFirstView } from '../first-view.ts';
import { useConnection } from '../live.ts';
import { useMay, useMe } from '../me.ts';
import { queryClient } from '../queries.ts';
import { AfterFirstView } from '../ui/after-paint.tsx';
import { numberText, plural } from '../ui/format.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { useTimeZone } from '../ui/time-zone.ts';
import { Waiting } from '../ui/waiting.tsx';
import { useAddressNames } from './address-names.ts';
import { allowedPages } from './allowed-pages.ts';
import { cappedText, useAttention } from './attention.ts';
import { ConnectionState } from './connection-state.tsx';
import { checkVersion } from './new-version.ts';
import { NextStep } from './next-step.tsx';
import { Bell } from './notifications/bell.tsx';
import { OwnMenu } from './own-menu.tsx';
import { featureNamesQuery } from './palette/feature-names.ts';
import { remember } from './recent.ts';
import classes from './shell.module.css';
import { commandKey, useShortcuts } from './shortcuts.ts';
import { SignInAgain } from './sign-in-again.tsx';
import { ProjectSwitcher } from './switcher.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TimeZoneBadge } from './time-zone-badge.tsx';
import { titleOf } from './title.ts';

const Palette = lazyPart(() => import('./palette/palette.tsx'), 'Palette');
const Drafts = lazyPart(() => import('../governance/drafts.tsx'), 'Drafts');
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'), 'ShortcutSheet');

const pages = [
  { to: '/', label: 'Home', icon: IconHome },
  { to: '/search', label: 'Features', icon: IconFlag },
  { to: '/projects', label: 'Projects', icon: IconFolders },
  { to: '/playground', label: 'Playground', icon: IconTestPipe },
  { to: '/insights', label: 'Health', icon: IconHeartbeat },
  { to: '/change-requests', label: 'Change requests', icon: IconGitPullRequest },
  { to: '/history', label: 'Event log', icon: IconHistory },
  { to: '/integrations', label: 'Integrations', icon: IconPlug },
  { to: '/applications', label: 'Applications', icon: IconApps },
  { to: '/segments', label: 'Configuration', icon: IconAdjustments },
  { to: '/admin', label: 'Administration', icon: IconSettings },
] as const;

/** Loads the palette with the names that it searches and the page of a feature once the first view is there. */
function usePrefetch(): void {
  const isFirstViewShown = useFirstView();
  useEffect(() => {
    if (!isFirstViewShown) return;
    void queryClient.prefetchQuery(featureNamesQuery);
    void import('./palette/palette.tsx').catch(() => undefined);
    void import('../ui/floating-tooltip.ts').catch(() => undefined);
    void import('../flags/feature/feature.tsx').catch(() => undefined);
  }, [isFirstViewShown]);
}

type MainRef = RefObject<HTMLElement | null>;

/** After another page has opened, the keyboard and a screen reader begin at its content. */
function useFocusOnNavigation(pathname: string, main: MainRef): void {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
  }, [pathname, main]);
}

/** Recently viewed features and projects, for the palette, the switcher and Home. */
function useRemembering(): void {
  const { user } = useMe();
  const { projectId, featureName } = useParams({ strict: false });
  useEffect(() => {
    if (projectId === undefined) return;
    remember(user.id, { kind: 'project', project: projectId });
    if (featureName !== undefined) {
      remember(user.id, { kind: 'feature', project: projectId, name: featureName });
    }
  }, [user.id, projectId, featureName]);
}

/**
 * What follows the address. It renders nothing, so that a change of page does not render the frame again, which took
 * a fifth of the time until the next page was there.
 */
function AddressEffects({ main }: { readonly main: MainRef }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  useFocusOnNavigation(pathname, main);
  useRemembering();
  useDocumentTitle(titleOf(pathname, useAddressNames(pathname)));
  return null;
}

function SkipLink({ main }: { readonly main: MainRef }) {
  const href = useLocation({ select: (location) => location.href });
  return (
    <a
      className={classes.skip}
      href={`${basePath.slice(0, -1)}${href}#main`}
      onClick={(event) => {
        event.preventDefault();
        main.current?.focus();
      }}
    >
      Skip to content
    </a>
  );
}

const isHere = (to: string, pathname: string): boolean => {
  if (to === '/') return pathname === '/';
  // A feature is one of its project, and its way back leads to the features.
  if (/^\/projects\/[^/]+\/change-requests\/\d/.test(pathname)) return to === '/change-requests';
  if (/^\/projects\/[^/]+\/(features\/|create-toggle)/.test(pathname)) return to === '/search';
  if (to === '/change-requests' && pathname.startsWith('/calendar')) return true;
  if (to === '/applications' && pathname.startsWith('/unknown-flags')) return true;
  if (to === '/history' && pathname.startsWith('/incident')) return true;
  if (to !== '/segments') return pathname.startsWith(to);
  return cataloguePages.some((page) => pathname.startsWith(page.to));
};

interface CountProps {
  readonly count: number;
  /** How it is written; undefined if the server counts all. */
  readonly shown?: string;
  /** Says what is counted: "3 failing integrations". */
  readonly text: string;
}

/** What is failing or due on a page of the navigation. */
const DueCount = ({ count, shown = numberText(count), text }: CountProps) => (
  <span className={classes.due} title={text}>
    <span aria-hidden>{shown}</span>
    <VisuallyHidden>{text}</VisuallyHidden>
  </span>
);

/** The counts in the navigation, by page. */
function useDueCounts(): Partial<Record<(typeof pages)[number]['to'], CountProps>> {
  const attention = useAttention();
  if (attention === undefined) return {};
  const { featuresToCleanUp, failingIntegrations, unknownFlags } = attention;
  const { changeRequestsToReview, emergenciesToReview, changeRequestsToApply } = attention;
  return {
    '/change-requests': {
      count: changeRequestsToReview + emergenciesToReview + changeRequestsToApply,
      text: [
        ...(changeRequestsToReview > 0 ? [`${numberText(changeRequestsToReview)} to review`] : []),
        ...(emergenciesToReview > 0
          ? [`${plural(emergenciesToReview, 'emergency', 'emergencies')} to review`]
          : []),
        ...(changeRequestsToApply > 0 ? [`${numberText(changeRequestsToApply)} to apply`] : []),
      ].join(', '),
    },
    '/insights': {
      count: featuresToCleanUp,
      // Home and the page show those of others as well.
      text: `${plural(featuresToCleanUp, 'feature')} you can clean up`,
    },
    '/integrations': {
      count: failingIntegrations,
      text: plural(failingIntegrations, 'failing integration'),
    },
    '/applications': {
      count: unknownFlags,
      shown: cappedText(unknownFlags),
      text: `${cappedText(unknownFlags)} unknown ${unknownFlags === 1 ? 'flag' : 'flags'}`,
    },
  };
}

const Navigation = memo(({ onGo }: { readonly onGo: () => void }) => {
  const here = useLocation({
    select: ({ pathname }) => pages.find(({ to }) => isHere(to, pathname))?.to,
  });
  const due = useDueCounts();
  const isAdministrator = allowedPages(useMay()).length > 0;
  const offered = isAdministrator ? pages : pages.filter(({ to }) => to !== '/admin');
  return (
    <nav aria-label="Main" className={classes.pages}>
      {offered.map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          className={classes.page}
          component={Link}
          to={to}
          // What is open is said below: the address of a feature begins with that of the projects.
          activeOptions={{ exact: true, includeSearch: false }}
          label={label}
          description={to === '/' && <NextStep />}
          active={to === here}
          onClick={onGo}
          aria-current={to === here ? 'page' : undefined}
          leftSection={<Icon size={18} aria-hidden />}
          rightSection={due[to] && due[to].count > 0 && <DueCount {...due[to]} />}
        />
      ))}
    </nav>
  );
});

/** A server that was away may have come back with another page. */
function useVersionCheck(): void {
  const connection = useConnection();
  const wasLive = useRef(false);
  useEffect(() => {
    if (connection !== 'live') return;
    if (wasLive.current) void checkVersion();
    wasLive.current = true;
  }, [connection]);
  useEffect(() => {
    // A file may be missing because the server is away, which is no other page.
    const check = () => void checkVersion();
    window.addEventListener('vite:preloadError', check);
    return () => window.removeEventListener('vite:preloadError', check);
  }, []);
}

/** The frame, until it is known who is signed in. */
export const ShellWaiting = () => (
  <AppShell
    layout="alt"
    header={{ height: 56 }}
    navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: true } }}
    padding={{ base: 'md', md: 'xl' }}
  >
    <AppShell.Navbar className={classes.navbar} />
    <AppShell.Main>
      <Waiting />
    </AppShell.Main>
  </AppShell>
);

/** From the start: something may be proposed before the drafts are shown. */
function useProposedNotice(): void {
  useEffect(
    () =>
      whenProposed(({ environment }) => {
        void import('../governance/tell-proposed.ts').then(({ tellProposed }) =>
          tellProposed(environment),
        );
      }),
    [],
  );
}

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [hasSheet, setSheet] = useState(false);
  // A closed navigation can't be reached by keyboard.
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const [hasPalette, setPalette] = useState(false);
  const openPalette = () => setPalette(true);
  const main = useRef<HTMLElement>(null);
  // For the times in what the header opens. Pages subscribe themselves.
  useTimeZone();
  usePrefetch();
  useProposedNotice();
  useVersionCheck();
  useShortcuts({ openPalette, openSheet: () => setSheet(true) });

  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      transitionDuration={0}
    >
      <SkipLink main={main} />
      <AddressEffects main={main} />
      <AppShell.Header className={classes.header} withBorder={false}>
        <Group h="100%" px={{ base: 'md', md: 'xl' }} justify="space-between" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Open navigation"
            aria-expanded={isOpen}
          />
          <Group gap="sm" ml="auto" wrap="nowrap">
            <ConnectionState />
            <TimeZoneBadge />
            <Bell />
            <ThemeSwitch />
            <OwnMenu />
          </Group>
        </Group>
      </AppShell.Header>

      <AppShell.Navbar className={classes.navbar} p="sm" inert={isNarrow && !isOpen}>
        <Group px="xs" py="xs" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <img src={`${basePath}burgee.svg`} alt="" width={28} height={21} />
            <Text fw={700}>Burgee</Text>
          </Group>
          <Burger opened onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Close navigation" />
        </Group>
        <UnstyledButton className={classes.search} onClick={openPalette}>
          <Group gap="xs" wrap="nowrap">
            <IconSearch size={16} aria-hidden />
            <span>Search…</span>
          </Group>
          <Kbd size="xs" className={classes.key}>
            {commandKey.label}
          </Kbd>
        </UnstyledButton>
        <ProjectSwitcher onGo={close} />
        <Navigation onGo={close} />
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          mt="auto"
          onClick={() => setSheet(true)}
        >
          Keyboard shortcuts{' '}
          <Kbd size="xs" ml={6}>
            ?
          </Kbd>
        </Button>
      </AppShell.Navbar>

      <AppShell.Main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <Outlet />
        <Suspense>
          <AfterFirstView>
            <Drafts />
          </AfterFirstView>
        </Suspense>
      </AppShell.Main>

      {hasPalette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} onOpenSheet={() => setSheet(true)} />
        </Suspense>
      )}
      {hasSheet && (
        <Suspense>
          <ShortcutSheet onClose={() => setSheet(false)} />
        </Suspense>
      )}
      <SignInAgain />
    </AppShell>
  );
}
