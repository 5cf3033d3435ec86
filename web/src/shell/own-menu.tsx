import { Menu, Text, UnstyledButton } from '@mantine/core';
import {
  IconApi,
  IconClock,
  IconDevices,
  IconKey,
  IconLogout,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { api, basePath } from '../api.ts';
import { nameOf, useMe } from '../me.ts';
import { forgetOwn } from '../own-storage.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { setTimeZone, useTimeZone } from '../ui/time-zone.ts';
import classes from './shell.module.css';

export async function signOut(): Promise<void> {
  await api('POST /logout', {});
  forgetOwn();
  window.location.assign(`${basePath}login`);
}

export function OwnMenu() {
  const { user } = useMe();
  const zone = useTimeZone();
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      button={
        <UnstyledButton className={classes.avatar} aria-label="Account menu">
          <img src={`${basePath}avatars/${user.id}.svg`} alt="" width={34} height={34} />
        </UnstyledButton>
      }
    >
      <Menu.Label>
        <Text size="sm" fw={600} truncate>
          {nameOf(user)}
        </Text>
        {user.email && (
          <Text size="xs" truncate>
            {user.email}
          </Text>
        )}
      </Menu.Label>
      <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} aria-hidden />}>
        Your account
      </Menu.Item>
      <Menu.Item
        component={Link}
        to="/profile?tab=sessions"
        leftSection={<IconDevices size={16} aria-hidden />}
      >
        Sessions
      </Menu.Item>
      <Menu.Item
        component={Link}
        to="/profile?tab=tokens"
        leftSection={<IconKey size={16} aria-hidden />}
      >
        Personal access tokens
      </Menu.Item>
      <Menu.Item
        component="a"
        href={`${basePath}docs/openapi`}
        leftSection={<IconApi size={16} aria-hidden />}
      >
        API reference
      </Menu.Item>
      <Menu.Item
        onClick={() => setTimeZone(zone === 'UTC' ? 'local' : 'UTC')}
        leftSection={<IconClock size={16} aria-hidden />}
      >
        {zone === 'UTC' ? 'Show times in local time' : 'Show times in UTC'}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => void signOut()} leftSection={<IconLogout size={16} aria-hidden />}>
        Sign out
      </Menu.Item>
    </MenuButton>
  );
}
