import { Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { nameOf, useMe } from '../../me.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { FollowedChanges } from './followed.tsx';
import classes from './home.module.css';
import { Favorites, LastChanges, WhereYouWere } from './last.tsx';
import { stepsQueries, useSteps } from './steps.ts';

const daytime = (hour: number) =>
  hour < 5 || hour >= 18 ? 'Good evening' : hour < 12 ? 'Good morning' : 'Hello';

/** What waits, where somebody was and what happened; on a fresh installation, the way to a first flag. */
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
        <Text size="sm" className="quiet">
          {steps.isFresh
            ? 'Four steps to a first flag. Each is ticked when it has really happened.'
            : 'What waits, where you were, and what happened last.'}
        </Text>
      </div>
      {steps.isFresh && <FirstSteps steps={steps} />}
      <div className={classes.cards}>
        <Attention />
        <WhereYouWere />
        <Favorites />
      </div>
      <FollowedChanges />
      <LastChanges />
    </Stack>
  );
}
