import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { IconFlag, IconFolder } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { api, type Response } from '../api.ts';
import { type Followable, followsQuery, useFollow } from '../flags/follow.tsx';
import { queryClient } from '../queries.ts';
import { PageLink } from '../ui/link.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import classes from './access.module.css';
import { Section } from './section.tsx';

type Follows = Response<'GET /api/admin/user/follows'>;
type Frequency = Follows['letters']['frequency'];

const choices: readonly {
  readonly value: Frequency;
  readonly label: string;
  readonly meaning: string;
}[] = [
  { value: 'none', label: 'None', meaning: 'Changes appear only on Home.' },
  { value: 'daily', label: 'Daily', meaning: 'One e-mail a day, at 06:00 UTC.' },
  {
    value: 'immediate',
    label: 'Immediate',
    meaning: 'Within two minutes, at most one e-mail in five minutes.',
  },
];

const done: Readonly<Record<Frequency, string>> = {
  none: 'Email notifications turned off',
  daily: 'Email notifications set to daily',
  immediate: 'Email notifications set to immediate',
};

function LetterChoice({ letters }: Pick<Follows, 'letters'>) {
  const choose = useMutation({
    mutationFn: (frequency: Frequency) =>
      api('PUT /api/admin/user/follows/letters', { body: { frequency } }),
    onSuccess: (answer) => {
      queryClient.setQueryData<Follows>(
        followsQuery.queryKey,
        (follows) => follows && { ...follows, letters: answer },
      );
      tellDone({ id: 'letters', title: done[answer.frequency] });
    },
    onError: (error) => tellProblem('update email notifications', error),
  });
  const { refusal } = letters;
  return (
    <Section
      title="E-mails"
      lead="Changes that others make to what you follow. Your own are not sent to you."
    >
      <Radio.Group
        aria-label="E-mails"
        value={choose.isPending ? choose.variables : letters.frequency}
        onChange={(value) => choose.mutate(value as Frequency)}
      >
        <Stack gap="sm">
          {choices.map(({ value, label, meaning }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={meaning}
              disabled={refusal !== undefined && value !== 'none'}
            />
          ))}
        </Stack>
      </Radio.Group>
      {refusal !== undefined && <Text size="sm">{refusal}</Text>}
    </Section>
  );
}

function FollowRow({ what, since }: { readonly what: Followable; readonly since: string }) {
  const follow = useFollow(what);
  const { project, feature, name } = what;
  return (
    <li>
      <div>
        <Group gap="xs" wrap="nowrap">
          {feature === undefined ? (
            <IconFolder size={15} aria-hidden />
          ) : (
            <IconFlag size={15} aria-hidden />
          )}
          {feature === undefined ? (
            <PageLink to="/projects/$projectId" params={{ projectId: project }} size="sm" fw={600}>
              {name}
            </PageLink>
          ) : (
            <PageLink
              to="/projects/$projectId/features/$featureName"
              params={{ projectId: project, featureName: feature }}
              size="sm"
              fw={600}
            >
              {name}
            </PageLink>
          )}
        </Group>
        <Text size="sm" className="quiet" component="div">
          {feature === undefined ? 'project' : `feature in ${project}`} · followed{' '}
          <Since instant={since} />
        </Text>
      </div>
      <Button
        size="xs"
        variant="default"
        loading={follow.isPending}
        aria-label={`Unfollow ${name}`}
        onClick={() => follow.mutate(false)}
      >
        Unfollow
      </Button>
    </li>
  );
}

/** What somebody follows, and whether it comes by mail. */
export function OwnFollows() {
  const { features, projects, letters } = useSuspenseQuery(followsQuery).data;
  return (
    <Stack maw={720}>
      <Section
        title="What you follow"
        lead="Its changes appear on Home. A project includes all its features."
      >
        {features.length + projects.length === 0 ? (
          <Text size="sm">
            You follow nothing yet. Open a feature or a project, and choose Follow beside its name.
          </Text>
        ) : (
          <ul className={classes.rows} aria-label="What you follow">
            {projects.map(({ id, name, followedAt }) => (
              <FollowRow key={`project ${id}`} what={{ project: id, name }} since={followedAt} />
            ))}
            {features.map(({ name, project, followedAt }) => (
              <FollowRow
                key={`feature ${name}`}
                what={{ project, feature: name, name }}
                since={followedAt}
              />
            ))}
          </ul>
        )}
      </Section>
      <LetterChoice letters={letters} />
    </Stack>
  );
}
