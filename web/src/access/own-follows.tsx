import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { IconFlag, IconFolder } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { api, type Response } from '../api.ts';
import { type Followable, followsQuery, useFollow } from '../flags/follow.tsx';
import { useProjectName } from '../project-name.tsx';
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
  { value: 'none', label: 'Off', meaning: 'Changes appear only under Notifications and on Home' },
  { value: 'weekly', label: 'Weekly', meaning: 'One email on Mondays at 06:00 UTC' },
  { value: 'daily', label: 'Daily', meaning: 'One email a day at 06:00 UTC' },
  {
    value: 'immediate',
    label: 'Immediate',
    meaning: 'Within 2 minutes of a change, at most one email every 5 minutes',
  },
];

const done: Readonly<Record<Frequency, string>> = {
  none: 'Email notifications turned off',
  weekly: 'Email notifications set to weekly',
  daily: 'Email notifications set to daily',
  immediate: 'Email notifications set to immediate',
};

const useChoice = (doneText: (letters: Follows['letters']) => string) =>
  useMutation({
    mutationFn: (body: Pick<Follows['letters'], 'frequency'> & { readonly direct?: boolean }) =>
      api('PUT /api/admin/user/follows/letters', { body }),
    onSuccess: (answer) => {
      queryClient.setQueryData<Follows>(
        followsQuery.queryKey,
        (follows) => follows && { ...follows, letters: answer },
      );
      tellDone({ id: 'letters', title: doneText(answer) });
    },
    onError: (error) => tellProblem('update email notifications', error),
  });

/** Emails that are addressed to the user. */
function DirectChoice({ letters }: Pick<Follows, 'letters'>) {
  const choose = useChoice(({ direct }) =>
    direct ? 'Emails about change requests turned on' : 'Emails about change requests turned off',
  );
  const { frequency, direct, refusal } = letters;
  return (
    <Checkbox
      label="Change requests"
      description="When you're asked to review, when your request is approved or rejected, and when a schedule is suspended or fails"
      checked={choose.isPending ? choose.variables.direct === true : direct}
      disabled={refusal !== undefined}
      onChange={({ currentTarget }) => choose.mutate({ frequency, direct: currentTarget.checked })}
    />
  );
}

function LetterChoice({ letters }: Pick<Follows, 'letters'>) {
  const choose = useChoice(({ frequency }) => done[frequency]);
  const { refusal } = letters;
  return (
    <Section
      title="Email notifications"
      lead="Get notified when others change features and projects you follow."
    >
      <Radio.Group
        aria-label="Email notifications"
        value={choose.isPending ? choose.variables.frequency : letters.frequency}
        onChange={(value) => choose.mutate({ frequency: value as Frequency })}
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
      <DirectChoice letters={letters} />
      {refusal !== undefined && <Text size="sm">{refusal}</Text>}
    </Section>
  );
}

interface RowProps {
  readonly what: Followable;
  readonly projectName: string;
  readonly since: string;
}

function FollowRow({ what, projectName, since }: RowProps) {
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
          {feature === undefined ? 'Project' : `Feature in ${projectName}`} · followed{' '}
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

/** What the user follows, and whether changes are sent by email. */
export function OwnFollows() {
  const { features, projects, letters } = useSuspenseQuery(followsQuery).data;
  const nameOf = useProjectName();
  return (
    <Stack maw={720}>
      <Section
        title="Following"
        lead="Changes appear under Notifications and on Home. Following a project includes all its features."
      >
        {features.length + projects.length === 0 ? (
          <Text size="sm">
            You're not following anything yet. Open a feature or project and select Follow.
          </Text>
        ) : (
          <ul className={classes.rows} aria-label="Following">
            {projects.map(({ id, name, followedAt }) => (
              <FollowRow
                key={`project ${id}`}
                what={{ project: id, name }}
                projectName={name}
                since={followedAt}
              />
            ))}
            {features.map(({ name, project, followedAt }) => (
              <FollowRow
                key={`feature ${name}`}
                what={{ project, feature: name, name }}
                projectName={nameOf(project)}
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
