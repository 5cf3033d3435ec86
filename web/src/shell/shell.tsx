import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconFlag,
  IconFolders,
  IconHistory,
  IconHome,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { api, basePath } from '../api.ts';
import { followLog, useConnection } from '../live.ts';
import { nameOf, useMe } from '../me.ts';
import classes from './shell.module.css';
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx';
import { SignInAgain } from './sign-in-again.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const places = [
  { to: '/', label: 'Home', icon: IconHome },
  { to: '/search', label: 'Features', icon: IconFlag },
  { to: '/projects', label: 'Projects', icon: IconFolders },
  { to: '/history', label: 'Event log', icon: IconHistory },
] as const;

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

function ConnectionState() {
  const connection = useConnection();
  return connection === 'live' ? (
    <Tooltip label="Changes of others appear without a reload">
      <Badge variant="light" color="teal" tt="none" tabIndex={0}>
        live
      </Badge>
    </Tooltip>
  ) : (
    <Badge variant="light" color="yellow" tt="none" role="status">
      reconnecting…
    </Badge>
  );
}

function OwnMenu() {
  const { user } = useMe();
  const signOut = async () => {
    await api('POST /logout', {});
    window.location.assign(`${basePath}login`);
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={`Menu of ${nameOf(user)}`}>
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{nameOf(user)}</Menu.Label>
        <Menu.Item component={Link} to="/profile">
          Your account
        </Menu.Item>
        <Menu.Item component="a" href={`${basePath}docs/openapi`}>
          API
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Theme">
          {colorScheme === 'dark' ? (
            <IconMoon size={18} aria-hidden />
          ) : (
            <IconSun size={18} aria-hidden />
          )}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={scheme === colorScheme}
          >
            {{ light: 'Light', dark: 'Dark', auto: 'As the system' }[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [hasPalette, setPalette] = useState(false);
  const [hasSheet, setSheet] = useState(false);
  const { pathname } = useLocation();
  useEffect(followLog, []);
  useShortcuts({ openPalette: () => setPalette(true), openSheet: () => setSheet(true) });
  const isHere = (to: string) => (to === '/' ? pathname === '/' : pathname.startsWith(to));

  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <AppShell.Header className={classes.header} withBorder={false}>
        <Group h="100%" px={{ base: 'md', md: 'xl' }} justify="space-between">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
          />
          <Group gap="sm" ml="auto">
            <ConnectionState />
            <ThemeSwitch />
            <OwnMenu />
          </Group>
        </Group>
      </AppShell.Header>

      <AppShell.Navbar className={classes.navbar} p="sm">
        <Group px="xs" py="xs" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <img src={`${basePath}burgee.svg`} alt="" width={28} height={21} />
            <Text fw={700}>Burgee</Text>
          </Group>
          <Burger opened onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Close navigation" />
        </Group>
        <UnstyledButton className={classes.search} onClick={() => setPalette(true)}>
          <Group gap="xs" wrap="nowrap">
            <IconSearch size={16} aria-hidden />
            <span>Search or do…</span>
          </Group>
          <Kbd size="xs" className={classes.key}>
            {isMac ? '⌘K' : 'Ctrl K'}
          </Kbd>
        </UnstyledButton>
        <ScrollArea component="nav" aria-label="Main">
          {places.map(({ to, label, icon: Icon }) => (
            <NavLink
              key={to}
              className={classes.place}
              component={Link}
              to={to}
              label={label}
              active={isHere(to)}
              onClick={close}
              aria-current={isHere(to) ? 'page' : undefined}
              leftSection={<Icon size={18} aria-hidden />}
            />
          ))}
        </ScrollArea>
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

      <AppShell.Main>
        <Outlet />
      </AppShell.Main>

      {hasPalette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
      <ShortcutSheet opened={hasSheet} onClose={() => setSheet(false)} />
      <SignInAgain />
    </AppShell>
  );
}
