import { Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { nameOf, useMe } from '../../me.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Attention } from './attention.tsx';
import { FollowedChanges } from './followed.tsx';
import classes from './home.module.css';
import { Favorites, RecentActivity, RecentlyViewed } from './last.tsx';
import { stepsQueries, useSteps } from './steps.ts';

const FirstSteps = lazyPart(() => import('./first-steps.tsx'), 'FirstSteps');

const daytime = (hour: number) =>
  hour < 5 || hour >= 18 ? 'Good evening' : hour < 12 ? 'Good morning' : 'Good afternoon';

/** What needs attention and what is new; on a fresh installation, the steps to a first feature. */
export function Home() {
  const { user } = useMe();
  useSuspenseQuery(stepsQueries.features);
  const steps = useSteps();
  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2">
          {daytime(new Date().getHours())}, {nameOf(user)}
        </Title>
        {steps.isFresh && (
          <Text size="sm" className="quiet">
            Four steps to your first feature
          </Text>
        )}
      </div>
      {steps.isFresh && (
        <Suspense>
          <FirstSteps steps={steps} />
        </Suspense>
      )}
      <div className={classes.cards}>
        <Attention />
        <RecentlyViewed />
        <Favorites />
      </div>
      <FollowedChanges />
      <RecentActivity isFresh={steps.isFresh} />
    </Stack>
  );
}
