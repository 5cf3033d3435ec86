import { Tabs, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useActiveInView } from '../ui/active-in-view.ts';
import { Waiting } from '../ui/waiting.tsx';
import { OwnAccess } from './own-access.tsx';
import { OwnAccount } from './own-account.tsx';
import { OwnFollows } from './own-follows.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { OwnTokens } from './own-tokens.tsx';
import type { ProfileTab } from './profile-tab.ts';

const route = getRouteApi('/shell/profile');

/** The account of the signed-in user. */
export function Profile() {
  const { tab = 'account' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useActiveInView<HTMLDivElement>(tab);
  const choose = (chosen: string | null) =>
    void navigate({
      search: chosen === 'account' || chosen === null ? {} : { tab: chosen as ProfileTab },
    });
  return (
    <>
      <Title order={1} size="h2" mb="md">
        Your account
      </Title>
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List mb="lg" ref={list}>
          <Tabs.Tab value="account">Account</Tabs.Tab>
          <Tabs.Tab value="following">Following</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          <Tabs.Tab value="tokens">Personal access tokens</Tabs.Tab>
          <Tabs.Tab value="access">Permissions</Tabs.Tab>
        </Tabs.List>
        <Suspense fallback={<Waiting />}>
          <Tabs.Panel value="account">
            <OwnAccount />
          </Tabs.Panel>
          <Tabs.Panel value="following">
            <OwnFollows />
          </Tabs.Panel>
          <Tabs.Panel value="sessions">
            <OwnSessions />
          </Tabs.Panel>
          <Tabs.Panel value="tokens">
            <OwnTokens />
          </Tabs.Panel>
          <Tabs.Panel value="access">
            <OwnAccess />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </>
  );
}
