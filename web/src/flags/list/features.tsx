import { Group, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { NewFeatureButton } from '../create/new-feature.tsx';
import { FeatureBrowser } from './feature-browser.tsx';
import type { FeatureAddress } from './search.ts';

const route = getRouteApi('/shell/search');

/** The features of all projects that the user can see. */
export function Features() {
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: FeatureAddress) => void navigate({ search: next, replace: true }),
    [navigate],
  );
  return (
    <>
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          Features
        </Title>
        <NewFeatureButton />
      </Group>
      <FeatureBrowser address={address} onChange={change} />
    </>
  );
}
